#pragma once
// Small problems on grids for the tests of module fdtd.
#include <algorithm>
#include <memory>
#include <optional>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::fdtd {

inline grid::CartesianGrid uniform_grid(int nx, int ny, int nz, double spacing, Vec3 origin = {}) {
  grid::CartesianGrid grid;
  grid.spacing = {std::vector<double>(nx, spacing), std::vector<double>(ny, spacing), std::vector<double>(nz, spacing)};
  grid.origin = origin;
  return grid;
}

struct GridProblem {
  grid::Setup setup;
  double cfl_fraction = 0.95;  // of the stability limit
  std::vector<grid::Shape> bodies;
  std::vector<grid::PermittivityArray> arrays;  // in front of the bodies
  bool averaging = true;
  std::vector<physics::Source> sources;
  std::vector<physics::Flux> fluxes;
  KernelFusion fusion = KernelFusion::fused;
  std::optional<CacheSizes> caches;  // of the CPU; without them the machine's

  GridProblem() { setup.materials = {physics::Medium{}}; }

  double time_step() const { return cfl_fraction * stability_limit(setup); }  // s

  template <class Real>
  std::unique_ptr<FdtdSolver<Real>> make(const parallel::Communicator& comm, bool cuda = false,
                                         parallel::Transport transport = parallel::Transport::mpi_host) const {
    const double dt = time_step();
    auto d = std::make_unique<Discretisation<arithmetic_t<Real>>>(setup, *media(), dt, comm.rank(), comm.size(),
                                                                  nullptr, &comm);
    const auto make_engine = [&] {
#if DGTD_CUDA
      if (cuda) return make_cuda_engine<Real>(*d, fusion, transport, comm);
#else
      (void)cuda, (void)transport;
#endif
      return make_cpu_engine<Real>(*d, fusion, comm, caches);
    };
    auto engine = make_engine();
    auto imaginary = setup.has_bloch_phase() ? make_engine() : nullptr;
    auto solver =
        std::make_unique<FdtdSolver<Real>>(setup, std::move(d), std::move(engine), sources, comm, std::move(imaginary));
    for (const auto& flux : fluxes) solver->add_surface(flux);
    return solver;
  }

  std::unique_ptr<grid::Media> media() const {
    std::unique_ptr<grid::Media> all =
        std::make_unique<grid::SceneMedia>(grid::Scene(bodies, 0), setup.materials, averaging);
    if (!arrays.empty()) all = std::make_unique<grid::PermittivityMedia>(std::move(all), arrays, averaging);
    return all;
  }

  /// Steps with samples of the fluxes, and of the monitors that the solver has, at the intervals of a run.
  template <class Real>
  void advance(FdtdSolver<Real>& solver, std::int64_t steps, const std::vector<physics::Monitor>& monitors = {}) const {
    const double dt = solver.time_step(), highest = physics::highest_frequency(sources);
    const auto interval = [&](const std::vector<double>& f) { return physics::sampling_interval(f, highest, dt); };
    for (const std::int64_t last = solver.steps_done() + steps; solver.steps_done() < last;) {
      const std::int64_t now = solver.steps_done();
      std::int64_t next = last;
      for (const auto& m : fluxes) next = std::min(next, (now / interval(m.frequencies) + 1) * interval(m.frequencies));
      for (const auto& m : monitors)
        next = std::min(next, (now / interval(m.frequencies) + 1) * interval(m.frequencies));
      solver.advance(next - now);
      for (std::size_t i = 0; i < fluxes.size(); ++i)
        if (const auto n = interval(fluxes[i].frequencies); next % n == 0) solver.accumulate_surface(i, double(n) * dt);
      for (std::size_t i = 0; i < monitors.size(); ++i)
        if (const auto n = interval(monitors[i].frequencies); next % n == 0)
          solver.accumulate_monitor(i, double(n) * dt);
    }
  }
};

/// A plane wave along z, E along x.
inline physics::Source wave_along_z(const physics::Waveform& waveform) {
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0, 0, 1};
  wave.polarisation = {1, 0, 0};
  wave.waveform = waveform;
  return wave;
}

/// A few cells across, periodic there, between two sides of one kind along z.
inline GridProblem column_along_z(int cells, double spacing, physics::BoundaryKind ends) {
  GridProblem p;
  p.setup.grid = uniform_grid(3, 3, cells, spacing);
  p.setup.sides.fill(physics::BoundaryKind::periodic);
  p.setup.sides[4] = p.setup.sides[5] = ends;
  return p;
}

/// Nothing varies along z, or (ny = 1) along y and z; absorbing sides.
inline GridProblem flat_problem(int nx, int ny, double spacing, Vec3 origin = {}) {
  GridProblem p;
  p.setup.axes = ny > 1 ? 2 : 1;
  for (int a = p.setup.axes; a < 3; ++a) origin[a] = -0.5 * spacing;
  p.setup.grid = uniform_grid(nx, ny, 1, spacing, origin);
  p.setup.sides.fill(physics::BoundaryKind::cpml);
  for (int side = 2 * p.setup.axes; side < 6; ++side) p.setup.sides[side] = physics::BoundaryKind::periodic;
  return p;
}

}  // namespace dgtd::fdtd
