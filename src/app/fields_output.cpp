// Fields as VTK arrays: snapshots in time and the DFT's phasors with SAR.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/app/fields_output.hpp"
#include "dgtd/app/results.hpp"

namespace dgtd::app {

namespace {
using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
}  // namespace

bool wants(const config::Case& c, const char* field) {
  return std::find(c.output.fields.begin(), c.output.fields.end(), field) != c.output.fields.end();
}

// Polynomials above degree two are written as quadratic cells: ParaView draws no more, and files stay small.
int output_order(const config::Case& c) { return std::min(c.solver.order, 2); }

void add_phasors(const config::Case& c, const solver::ElementSolver& solver, const std::vector<double>& frequencies,
                 io::Piece& piece) {
  const auto points = io::lagrange_points(output_order(c));
  const bool peak = c.dft.window == config::Dft::Window::last_period;
  const std::string electric_unit = peak ? "V_per_m" : "V_s_per_m", magnetic_unit = peak ? "A_per_m" : "A_s_per_m";
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const std::string suffix = frequencies.size() > 1 ? fmt::format("_{:g}MHz", frequencies[k] / 1e6) : "";
    if (wants(c, "E")) {
      io::Array real{"E_real_" + electric_unit + suffix, 3, solver.sample({Field::electric, Part::real, k}, points)};
      io::Array imag{"E_imag_" + electric_unit + suffix, 3,
                     solver.sample({Field::electric, Part::imaginary, k}, points)};
      io::Array amplitude{"E_amplitude_" + electric_unit + suffix, 1, {}};
      for (std::size_t i = 0; i < real.values.size(); i += 3) {
        double sum = 0;
        for (int j = 0; j < 3; ++j)
          sum += double(real.values[i + j]) * real.values[i + j] + double(imag.values[i + j]) * imag.values[i + j];
        amplitude.values.push_back(static_cast<float>(std::sqrt(sum)));
      }
      piece.point.push_back(std::move(amplitude));
      piece.point.push_back(std::move(real));
      piece.point.push_back(std::move(imag));
    }
    if (wants(c, "H")) {
      piece.point.push_back(
          {"H_real_" + magnetic_unit + suffix, 3, solver.sample({Field::magnetic, Part::real, k}, points)});
      piece.point.push_back(
          {"H_imag_" + magnetic_unit + suffix, 3, solver.sample({Field::magnetic, Part::imaginary, k}, points)});
    }
  }
}

void add_present(const config::Case& c, const solver::ElementSolver& solver, io::Piece& piece) {
  const auto points = io::lagrange_points(output_order(c));
  if (wants(c, "E"))
    piece.point.push_back({"E_V_per_m", 3, solver.sample({Field::electric, Part::present, 0}, points)});
  if (wants(c, "H"))
    piece.point.push_back({"H_A_per_m", 3, solver.sample({Field::magnetic, Part::present, 0}, points)});
}

io::Piece empty_piece(const config::Case& c, const mesh::Subdomain& mesh) {
  io::Piece piece;
  piece.mesh = &mesh;
  piece.points_per_element = io::lagrange_point_count(output_order(c));
  return piece;
}

void write_snapshot(const config::Case& c, const mesh::Subdomain& mesh, const solver::ElementSolver& solver,
                    const std::string& stem, const parallel::Communicator& comm) {
  auto piece = empty_piece(c, mesh);
  add_present(c, solver, piece);
  io::write_vtu(c.output.directory, stem, piece, comm);
}

}  // namespace dgtd::app
