#include "dgtd/observers/grid_field_writer.hpp"

#include <fmt/format.h>

#include <iterator>

#include "dgtd/io/vtk_grid.hpp"

namespace dgtd::observers {

namespace {
using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
}  // namespace

void GridFieldWriter::write(const std::string& stem, std::vector<io::Array> fields, std::vector<io::Array> cell) const {
  std::move(cell.begin(), cell.end(), std::back_inserter(fields));
  io::write_vtr(selection_.directory, stem, solver_.grid(), solver_.block(), fields, comm_);
}

void GridFieldWriter::write_present(const std::string& stem, std::vector<io::Array> cell) const {
  std::vector<io::Array> arrays;
  if (selection_.electric)
    arrays.push_back({"E_V_per_m", 3, solver_.sample_cells({Field::electric, Part::present, 0})});
  if (selection_.magnetic)
    arrays.push_back({"H_A_per_m", 3, solver_.sample_cells({Field::magnetic, Part::present, 0})});
  write(stem, std::move(arrays), std::move(cell));
}

void GridFieldWriter::write_phasors(const std::string& stem, const std::vector<double>& frequencies, bool peak,
                                    std::vector<io::Array> cell) const {
  std::vector<io::Array> arrays;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const std::string suffix = frequencies.size() > 1 ? fmt::format("_{:g}MHz", frequencies[k] / 1e6) : "";
    const auto add = [&](const char* name, Field field, const char* unit) {
      for (const auto& [part, part_name] : {std::pair{Part::real, "real"}, std::pair{Part::imaginary, "imag"}})
        arrays.push_back(
            {fmt::format("{}_{}_{}{}", name, part_name, unit, suffix), 3, solver_.sample_cells({field, part, k})});
    };
    if (selection_.electric) add("E", Field::electric, peak ? "V_per_m" : "V_s_per_m");
    if (selection_.magnetic) add("H", Field::magnetic, peak ? "A_per_m" : "A_s_per_m");
  }
  write(stem, std::move(arrays), std::move(cell));
}

}  // namespace dgtd::observers
