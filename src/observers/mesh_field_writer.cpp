#include "dgtd/observers/mesh_field_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dgtd::observers {

namespace {
using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
}  // namespace

// Polynomials above degree two are written as quadratic cells: ParaView draws no more, and files stay small.
MeshFieldWriter::MeshFieldWriter(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order,
                                 FieldSelection selection, const parallel::Communicator& comm)
    : solver_(solver), mesh_(mesh), order_(std::min(order, 2)), selection_(std::move(selection)), comm_(comm) {}

void MeshFieldWriter::write(const std::string& stem, std::vector<io::Array> point, std::vector<io::Array> cell) const {
  const io::Piece piece{&mesh_, io::lagrange_point_count(order_), std::move(point), std::move(cell)};
  io::write_vtu(selection_.directory, stem, piece, comm_);
}

void MeshFieldWriter::write_present(const std::string& stem, std::vector<io::Array> cell) const {
  const auto points = io::lagrange_points(order_);
  std::vector<io::Array> arrays;
  if (selection_.electric)
    arrays.push_back({"E_V_per_m", 3, solver_.sample({Field::electric, Part::present, 0}, points)});
  if (selection_.magnetic)
    arrays.push_back({"H_A_per_m", 3, solver_.sample({Field::magnetic, Part::present, 0}, points)});
  write(stem, std::move(arrays), std::move(cell));
}

void MeshFieldWriter::write_phasors(const std::string& stem, const std::vector<double>& frequencies, bool peak,
                                    std::vector<io::Array> cell) const {
  const auto points = io::lagrange_points(order_);
  const std::string electric_unit = peak ? "V_per_m" : "V_s_per_m", magnetic_unit = peak ? "A_per_m" : "A_s_per_m";
  std::vector<io::Array> arrays;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const std::string suffix = frequencies.size() > 1 ? fmt::format("_{:g}MHz", frequencies[k] / 1e6) : "";
    if (selection_.electric) {
      io::Array real{"E_real_" + electric_unit + suffix, 3, solver_.sample({Field::electric, Part::real, k}, points)};
      io::Array imag{"E_imag_" + electric_unit + suffix, 3,
                     solver_.sample({Field::electric, Part::imaginary, k}, points)};
      io::Array amplitude{"E_amplitude_" + electric_unit + suffix, 1, {}};
      for (std::size_t i = 0; i < real.values.size(); i += 3) {
        double sum = 0;
        for (std::size_t j = i; j < i + 3; ++j)
          sum += double(real.values[j]) * real.values[j] + double(imag.values[j]) * imag.values[j];
        amplitude.values.push_back(static_cast<float>(std::sqrt(sum)));
      }
      arrays.push_back(std::move(amplitude));
      arrays.push_back(std::move(real));
      arrays.push_back(std::move(imag));
    }
    if (selection_.magnetic) {
      arrays.push_back(
          {"H_real_" + magnetic_unit + suffix, 3, solver_.sample({Field::magnetic, Part::real, k}, points)});
      arrays.push_back(
          {"H_imag_" + magnetic_unit + suffix, 3, solver_.sample({Field::magnetic, Part::imaginary, k}, points)});
    }
  }
  write(stem, std::move(arrays), std::move(cell));
}

}  // namespace dgtd::observers
