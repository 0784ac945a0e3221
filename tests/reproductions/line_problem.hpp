#pragma once
// Lines cut into subdomains, for tests on the CPU and on a device.
#include <cmath>

#include "dgtd/reproductions/line/solve.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::reproductions {

using fdtd::GridProblem, fdtd::uniform_grid;

struct LineCase {
  GridProblem grid;
  int cells = 800, subdomains = 1, reflections = 0, chunk = 100;
  std::int64_t steps = 3000, window = 0;
  double tolerance = 0;  // share of the wave's amplitude
  std::vector<int> probes{120, 700};

  /// A wave of 40 cells a wavelength upwards from cell 60, layers of 40 cells; Courant number 0.5.
  LineCase() {
    const double d = 1e-3;
    grid.setup.axes = 1;
    grid.setup.grid = uniform_grid(cells, 1, 1, d, {0, -0.5 * d, -0.5 * d});
    grid.setup.sides = {physics::BoundaryKind::cpml,     physics::BoundaryKind::cpml,
                        physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                        physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
    grid.setup.layer_cells = 40;
    grid.cfl_fraction = 0.5;
    physics::Source wave;
    wave.type = physics::Source::Type::sheet;
    wave.name = "wave";
    wave.centre = {60 * d, 0, 0};
    wave.size = {0, 1e9, 1e9};
    wave.direction = {1, 0, 0};
    wave.polarisation = {0, 0, 1};
    wave.waveform = {physics::Waveform::Type::modulated_gaussian, speed_of_light / (40 * d), 2,
                     speed_of_light / (40 * d)};
    grid.sources = {wave};
  }
  void set_cells(int n) {
    cells = n;
    grid.setup.grid.spacing[0].assign(static_cast<std::size_t>(n), 1e-3);
  }
  /// Dielectric from one cell to before another.
  void add_slab(int first, int last, double permittivity, double conductivity = 0) {
    const double d = 1e-3;
    grid.setup.materials.push_back({permittivity, 1, conductivity, 0, {}});
    grid::Shape slab;
    slab.type = grid::Shape::Type::box;
    slab.centre = {0.5 * (first + last) * d, 0, 0};
    slab.size = {(last - first) * d, 1e9, 1e9};
    slab.material = static_cast<int>(grid.setup.materials.size()) - 1;
    grid.bodies.push_back(slab);
  }
  void make_continuous() {
    grid.sources[0].waveform = {physics::Waveform::Type::ramped_sine, grid.sources[0].waveform.frequency, 2, 0};
  }

  template <class Real>
  LineProblem<Real> make() const {
    const grid::Setup& setup = grid.setup;
    const grid::SceneMedia media(grid::Scene(grid.bodies, 0), setup.materials, grid.averaging);
    const fdtd::Discretisation<Real> d(setup, media, grid.time_step(), 0, 1);
    const auto line = line_of(d);
    const auto drives = cell_sources(setup, d, grid.sources[0], steps);
    return {cut_line(setup, d, line, drives, subdomains), reflections, steps, chunk, window, tolerance, probes};
  }
  template <class Real>
  LineResult<Real> run() const {
    return solve_line(make<Real>());
  }
};

/// The largest difference of two records over the largest value of the first one.
template <class Real>
double difference(const LineRecord<Real>& a, const LineRecord<Real>& b) {
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < a.electric.size(); ++n) {
    worst = std::max(worst, std::abs(double(a.electric[n]) - double(b.electric[n])));
    largest = std::max(largest, std::abs(double(a.electric[n])));
  }
  for (std::size_t n = 0; n < a.magnetic.size(); ++n) {
    worst = std::max(worst, std::abs(double(a.magnetic[n]) - double(b.magnetic[n])));
    largest = std::max(largest, std::abs(double(a.magnetic[n])));
  }
  return worst / largest;
}

}  // namespace dgtd::reproductions
