#pragma once
// Potentials in small planes, for all tests of module hpf.
#include <memory>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "dgtd/hpf/potential_solver.hpp"

namespace dgtd::hpf {

struct PlaneProblem {
  Setup setup;
  double cfl_fraction = 0.9;  // of the stability limit
  std::vector<grid::Shape> bodies;
  std::vector<physics::Source> sources;

  PlaneProblem(int nx, int ny, double dx, double dy) {
    setup.grid.grid.spacing = {std::vector<double>(nx, dx), std::vector<double>(ny, dy),
                               std::vector<double>(1, std::min(dx, dy))};
    setup.grid.grid.origin = {0, 0, -0.5 * std::min(dx, dy)};
    setup.grid.axes = 2;
    setup.grid.sides = {physics::BoundaryKind::pec, physics::BoundaryKind::pec,      physics::BoundaryKind::pec,
                        physics::BoundaryKind::pec, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
    setup.grid.materials = {physics::Medium{}};
  }
  void set_sides(physics::BoundaryKind x, physics::BoundaryKind y) {
    for (int s = 0; s < 4; ++s) setup.grid.sides[s] = s < 2 ? x : y;
  }
  double time_step() const { return cfl_fraction * stability_limit(setup); }

  template <class Real>
  std::unique_ptr<PotentialSolver<Real>> make(const parallel::Communicator& comm, bool cuda = false,
                                              parallel::Transport transport = parallel::Transport::mpi_host,
                                              double dt = 0) const {
    const grid::SceneMedia media(grid::Scene(bodies, 0), setup.grid.materials, true);
    const int ghosts = ghost_rows_for(setup, steps_at_once(setup, cuda), comm.size());
    auto d =
        std::make_unique<Discretisation>(setup, media, dt > 0 ? dt : time_step(), ghosts, comm.rank(), comm.size());
    std::unique_ptr<Engine<Real>> engine;
#if DGTD_CUDA
    if (cuda) engine = make_cuda_engine<Real>(setup, *d, transport, comm);
#else
    (void)transport;
#endif
    if (!engine) engine = make_cpu_engine<Real>(setup, *d, comm);
    return std::make_unique<PotentialSolver<Real>>(std::move(d), std::move(engine), sources, comm);
  }
};

inline physics::Waveform pulse_of(double frequency) {
  return {physics::Waveform::Type::modulated_gaussian, frequency, 2, frequency};
}

inline physics::Source line_current(Vec3 position, double frequency) {
  physics::Source s;
  s.name = "current";
  s.position = position;
  s.direction = {0, 0, 1};
  s.moment = 1;
  s.waveform = pulse_of(frequency);
  return s;
}

inline physics::Source sheet_across_y(double y, double frequency, Vec3 polarisation = {0, 0, 1}, double width = 1e9) {
  physics::Source s;
  s.type = physics::Source::Type::sheet;
  s.name = "sheet";
  s.centre = {0, y, 0};
  s.size = {width, 0, 1e9};
  s.direction = {0, 1, 0};
  s.polarisation = polarisation;
  s.waveform = pulse_of(frequency);
  return s;
}

/// Everything at once: two dielectrics, one of them with losses, a conductor, a sheet and a line current, and three
/// kinds of walls.
inline PlaneProblem mixed_problem(Stencil stencil, bool lossy, int nx = 61, int ny = 83) {
  PlaneProblem p(nx, ny, 0.01, 0.012);
  p.setup.stencil = stencil;
  p.setup.grid.sides = {physics::BoundaryKind::mur, physics::BoundaryKind::pmc,      physics::BoundaryKind::mur,
                        physics::BoundaryKind::mur, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
  p.setup.grid.materials = {physics::Medium{}, physics::Medium{2, 1, 0, 0, {}},
                            physics::Medium{3, 1, lossy ? 0.02 : 0, 0, {}}, physics::Medium{1, 1, 0, 0, {}, true}};
  const double x = nx * 0.01, y = ny * 0.012;
  grid::Shape box, disc, metal;
  box.centre = {0.3 * x, 0.5 * y, 0}, box.size = {0.3 * x, 0.3 * y, 1}, box.material = 1;
  disc.type = grid::Shape::Type::cylinder, disc.centre = {0.7 * x, 0.3 * y, 0}, disc.radius = 0.16 * std::min(x, y),
  disc.height = 1, disc.material = 2;
  metal.centre = {0.15 * x, 0.8 * y, 0}, metal.size = {0.16 * x, 0.1 * y, 1}, metal.material = 3;
  p.bodies = {box, disc, metal};
  p.sources = {sheet_across_y(0.1 * y, 1e9, {0, 0, 1}, 1.4 * x), line_current({0.55 * x, 0.78 * y, 0}, 1.3e9)};
  return p;
}

}  // namespace dgtd::hpf
