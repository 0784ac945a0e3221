#pragma once
// Small problems on grids for the tests of module fdtd.
#include <algorithm>
#include <memory>
#include <optional>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "dgtd/solver/surface_integrals.hpp"

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
  std::vector<physics::Port> ports;
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
        std::make_unique<FdtdSolver<Real>>(setup, std::move(d), std::move(engine), sources, comm, std::move(imaginary),
                                           ports);
    for (const auto& flux : fluxes) solver->add_region(flux);
    return solver;
  }

  std::unique_ptr<grid::Media> media() const {
    std::unique_ptr<grid::Media> all =
        std::make_unique<grid::SceneMedia>(grid::Scene(bodies, 0), setup.materials, averaging);
    if (!arrays.empty()) all = std::make_unique<grid::PermittivityMedia>(std::move(all), arrays, averaging);
    return all;
  }

  /// Number of a monitor's region among those of the solver, where monitors are added after the fluxes.
  std::size_t region_of(std::size_t monitor) const { return fluxes.size() + monitor; }

  /// Steps with samples of the fluxes, and of the monitors that the solver has, at the intervals of a run.
  template <class Real>
  void advance(FdtdSolver<Real>& solver, std::int64_t steps, const std::vector<physics::Monitor>& monitors = {}) const {
    const double dt = solver.time_step();
    const std::size_t regions = region_of(monitors.size());
    for (const std::int64_t last = solver.steps_done() + steps; solver.steps_done() < last;) {
      const std::int64_t now = solver.steps_done();
      std::int64_t next = last;
      for (std::size_t r = 0; r < regions; ++r)
        next = std::min(next, (now / solver.sampling_interval(r) + 1) * solver.sampling_interval(r));
      solver.advance(next - now);
      for (std::size_t r = 0; r < regions; ++r)
        if (const auto n = solver.sampling_interval(r); next % n == 0) solver.accumulate(r, double(n) * dt);
    }
  }
};

/// Sums at the cells of a region, [cells][3] V s/m and A s/m.
struct CellSums {
  std::vector<float> electric_real, electric_imag, magnetic_real, magnetic_imag;
};

/// Collective.
inline CellSums cell_sums(const solver::RegionSpectra& spectra, std::size_t region, std::size_t frequency) {
  const solver::RegionCells& cells = spectra.samples(region).cells;
  std::size_t count = cells.empty ? 0 : 1;
  for (int a = 0; a < 3; ++a)
    count *= static_cast<std::size_t>(std::max<std::int64_t>(1, cells.mine.last[a] - cells.mine.first[a]));
  const solver::RegionSums sums = spectra.sums(region, frequency);
  CellSums result;
  const auto copy = [&](const solver::RegionValues& values, std::vector<float>& real, std::vector<float>& imag) {
    if (!values) return;
    std::vector<double> parts[2];
    for (auto& part : parts) part.resize(3 * count);
    if (count > 0) values(0, count, parts[0].data(), parts[1].data());
    real.assign(parts[0].begin(), parts[0].end());
    imag.assign(parts[1].begin(), parts[1].end());
  };
  copy(sums.electric, result.electric_real, result.electric_imag);
  copy(sums.magnetic, result.magnetic_real, result.magnetic_imag);
  return result;
}

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
