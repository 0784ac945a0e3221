#pragma once
// Small problems on grids for the tests of module fdtd.
#include <memory>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/grid/scene_media.hpp"

namespace dgtd::fdtd {

inline grid::CartesianGrid uniform_grid(int nx, int ny, int nz, double spacing, Vec3 origin = {}) {
  grid::CartesianGrid grid;
  grid.spacing = {std::vector<double>(nx, spacing), std::vector<double>(ny, spacing), std::vector<double>(nz, spacing)};
  grid.origin = origin;
  return grid;
}

struct GridProblem {
  grid::Setup setup;
  std::vector<grid::Shape> bodies;
  bool averaging = true;
  std::vector<physics::Source> sources;
  std::vector<physics::Flux> fluxes;
  Schedule schedule = Schedule::fused;

  GridProblem() { setup.materials = {grid::Material{}}; }

  template <class Real>
  std::unique_ptr<FdtdSolver<Real>> make(const parallel::Communicator& comm, bool cuda = false,
                                         parallel::Transport transport = parallel::Transport::mpi_host) const {
    const double dt = setup.courant * stability_limit(setup);
    const grid::SceneMedia media(grid::Scene(bodies, 0), setup.materials, averaging);
    auto d = std::make_unique<Discretisation<Real>>(setup, media, dt, comm.rank(), comm.size());
    const auto make_engine = [&] {
#if DGTD_CUDA
      if (cuda) return make_cuda_engine<Real>(*d, schedule, transport, comm);
#else
      (void)cuda, (void)transport;
#endif
      return make_cpu_engine<Real>(*d, schedule, comm);
    };
    auto engine = make_engine();
    auto imaginary = setup.has_bloch_phase() ? make_engine() : nullptr;
    return std::make_unique<FdtdSolver<Real>>(setup, std::move(d), std::move(engine), sources, fluxes, comm,
                                              std::move(imaginary));
  }
};

/// Nothing varies along z, or (ny = 1) along y and z; absorbing sides.
inline GridProblem flat_problem(int nx, int ny, double spacing, Vec3 origin = {}) {
  GridProblem p;
  p.setup.axes = ny > 1 ? 2 : 1;
  for (int a = p.setup.axes; a < 3; ++a) origin[a] = -0.5 * spacing;
  p.setup.grid = uniform_grid(nx, ny, 1, spacing, origin);
  p.setup.sides.fill(grid::BoundaryKind::absorbing);
  for (int side = 2 * p.setup.axes; side < 6; ++side) p.setup.sides[side] = grid::BoundaryKind::periodic;
  return p;
}

}  // namespace dgtd::fdtd
