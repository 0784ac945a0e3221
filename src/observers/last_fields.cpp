#include "dgtd/observers/last_fields.hpp"

#include <fmt/format.h>

#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/monitor_pictures.hpp"

namespace dgtd::observers {

namespace {

using Part = solver::Quantity::Part;

physics::Snapshot middle_layer(const grid::CartesianGrid& grid) {
  physics::Snapshot box;
  Vec3 size;
  for (int a = 0; a < 3; ++a) {
    const auto& nodes = grid.nodes(a);
    const std::size_t cells = nodes.size() - 1, first = a == 2 ? (cells - 1) / 2 : 0, last = a == 2 ? first + 1 : cells;
    box.centre[a] = 0.5 * (nodes[first] + nodes[last]), size[a] = nodes[last] - nodes[first];
  }
  box.size = size;
  return box;
}

}  // namespace

LastFields::LastFields(FourierPlan sums, const DomainView& view, const grid::GridSolver& solver)
    : sums_(std::move(sums)), view_(view), solver_(solver), cells_(middle_layer(solver.grid()), solver) {}

void LastFields::finish(io::Results& results) {
  const bool of_sums = !sums_.frequencies.empty() && sums_.complete(results.summary);
  const auto sampled = [&](Part part) { return cells_.sample({solver::Quantity::Field::electric, part, 0}); };
  const std::vector<float> first = sampled(of_sums ? Part::real : Part::present),
                           second = of_sums ? sampled(Part::imaginary) : std::vector<float>();
  const solver::RegionValues values = [&](std::size_t from, std::size_t count, double* real, double* imag) {
    for (std::size_t i = 0; i < 3 * count; ++i) {
      real[i] = double(first[3 * from + i]);
      imag[i] = of_sums ? double(second[3 * from + i]) : 0;
    }
  };
  const double time = double(solver_.steps_done()) * solver_.time_step();
  const std::string title =
      "|E| " + (of_sums ? "at " + units::frequency_text(sums_.frequencies.front()) : "after " + units::time_text(time));
  const char* unit = !of_sums ? "V/m" : sums_.peak ? "V/m, peak of the phasor" : "V s/m, Fourier integral over the run";
  auto row = MonitorPictures(view_, {}, results.comm).of_plane(cells_.cells(), values, title, unit);
  if (!row) return;
  results.summary.sections.push_back(
      {io::Chapter::measurements, of_sums ? "Field" : "Field at the end", {std::move(*row)}});
}

}  // namespace dgtd::observers
