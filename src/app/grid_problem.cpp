#include "dgtd/app/grid_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/app/grid_bodies.hpp"
#include "dgtd/app/grid_checks.hpp"
#include "dgtd/app/far_field_output.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "dgtd/hpf/potential_solver.hpp"
#include "dgtd/reproductions/diagonal/diagonal.hpp"
#include "dgtd/reproductions/plane_variant.hpp"

namespace dgtd::app {

namespace {

grid::BoundaryKind side_of(config::Boundary::Type type) {
  using Type = config::Boundary::Type;
  switch (type) {
    case Type::pec: return grid::BoundaryKind::pec;
    case Type::pmc: return grid::BoundaryKind::pmc;
    case Type::periodic:
    case Type::bloch: return grid::BoundaryKind::periodic;
    case Type::mur: return grid::BoundaryKind::mur;
    default: return grid::BoundaryKind::absorbing;
  }
}

reproductions::Variant variant_of(config::Variant variant) {
  using From = config::Variant;
  switch (variant) {
    case From::cublas_vector: return reproductions::Variant::cublas_vector;
    case From::cublas_matrix: return reproductions::Variant::cublas_matrix;
    case From::scalar: return reproductions::Variant::scalar;
    default: return reproductions::Variant::native;
  }
}

// Materials of the case, the background first: vacuum, with a name that no section can have, where the case names none.
std::vector<config::Material> materials_of(const config::Case& c) {
  std::vector<config::Material> list(1);
  list[0].name = "(background)";
  for (const auto& m : c.materials) {
    if (m.name == c.grid.background) list[0] = m;
    else list.push_back(m);
  }
  return list;
}

grid::Material grid_material(const config::Material& m) {
  return {m.eps_r, m.mu_r, m.sigma, m.sigma_m, m.poles, m.perfect_conductor};
}

// All poles must absorb in the band that sources and monitors use.
void check_materials(const config::Case& c) {
  const auto band = config::band_in_use(c);
  if (!band) return;
  for (const auto& m : c.materials)
    if (!m.poles.empty())
      physics::check_passive(m.name, m.eps_r, m.sigma, m.poles, 2 * pi * band->lowest, 2 * pi * band->highest);
}

// Of this rank's samples of field monitors.
double monitor_bytes(const config::Case& c, const grid::Setup& setup, double real, const parallel::Communicator& comm) {
  const auto block = grid::block_of_rank(setup.grid, setup.periodic(), comm.rank(), comm.size());
  double bytes = 0;
  for (const auto& m : c.monitors) {
    const auto region = fdtd::field_region(setup.grid, setup.periodic(), m);
    const auto ranges = fdtd::sample_ranges(region, block.first, block.cells, m.keeps("E"), m.keeps("H"));
    bytes += fdtd::spectrum_bytes(
        double(fdtd::SampleRanges::count(ranges.electric) + fdtd::SampleRanges::count(ranges.magnetic)),
        m.frequencies.size(), real);
  }
  return bytes;
}

// Fields, indices of classes at worst, layers, Fourier sums; identity matrices.
double bytes_needed(const config::Case& c, const grid::Setup& setup, const parallel::Communicator& comm) {
  const double real = c.solver.precision == config::Precision::single_precision ? 4 : 8;
  const double cells = 1.1 * double(setup.grid.cells()) / comm.size();
  double reals = 6 + 12.0 * double(c.dft.frequencies.size()) + 3;  // fields, phasors, H kept for the energy
  for (int a = 0; a < setup.axes; ++a) reals += 4.0 * 2 * (setup.layer_cells + 8.0) / double(setup.grid.cells(a));
  // Passes over a plane: the fields they go to, and layers' sums of both.
  if (setup.axes < 3)
    reals += 6 + (setup.is_open(0) || setup.is_open(1) || setup.is_open(2) || setup.is_open(3) ? 8 : 0);
  const double matrices = c.solver.variant == config::Variant::cublas_matrix
                              ? 2 * real * double(setup.grid.cells(1)) * double(setup.grid.cells(1))
                              : 0;
  return (cells * (reals * real + 12) + monitor_bytes(c, setup, real, comm)) * (setup.has_bloch_phase() ? 2 : 1) +
         matrices;
}

template <class Real>
std::unique_ptr<fdtd::PowerSolver> make_solver(const config::Case& c, const grid::Setup& setup,
                                               const grid::Media& media, double dt, const Backend& backend,
                                               const parallel::Communicator& comm) {
  const auto schedule = c.solver.kernels == config::Kernels::split ? fdtd::Schedule::split : fdtd::Schedule::fused;
  auto d = std::make_unique<fdtd::Discretisation<Real>>(setup, media, dt, comm.rank(), comm.size());
  const auto make_engine = [&]() -> std::unique_ptr<fdtd::Engine<Real>> {
#if DGTD_CUDA
    if (backend.cuda) return fdtd::make_cuda_engine<Real>(*d, schedule, backend.transport, comm);
#endif
    (void)backend;
    return fdtd::make_cpu_engine<Real>(*d, schedule, comm);
  };
  auto fluxes = c.fluxes;
  for (const auto& box : far_boxes(c)) fluxes.push_back(box);
  auto engine = make_engine();
  auto imaginary = setup.has_bloch_phase() ? make_engine() : nullptr;
  auto solver = std::make_unique<fdtd::FdtdSolver<Real>>(setup, std::move(d), std::move(engine), c.sources, fluxes,
                                                         comm, std::move(imaginary));
  for (const auto& monitor : c.monitors) solver->add_monitor(monitor);
  // Several steps a pass over memory; other variants and `kernels = split` keep half steps.
  using config::Polarisation;
  const auto p = c.solver.polarisation;
  if (c.solver.variant != config::Variant::native) reproductions::use_variant(*solver, variant_of(c.solver.variant));
  else if (schedule == fdtd::Schedule::fused && (p == Polarisation::ez || p == Polarisation::hz))
    solver->start_plane_passes(setup, p == Polarisation::ez ? fdtd::PlaneFields::ez : fdtd::PlaneFields::hz);
  return solver;
}

template <class Real>
std::unique_ptr<grid::GridSolver> make_potential_solver(const config::Case& c, const hpf::Setup& setup,
                                                        const grid::Media& media, double dt, const Backend& backend,
                                                        const parallel::Communicator& comm) {
  const bool diagonal = c.solver.kernels == config::Kernels::diagonal, single = sizeof(Real) == 4;
  const int steps =
      diagonal ? reproductions::diagonal_steps(setup, single) : hpf::steps_at_once(setup, backend.cuda, single);
  const int ghosts = hpf::ghost_rows_for(setup, steps, comm.size());
  auto d = std::make_unique<hpf::Discretisation>(setup, media, dt, ghosts, comm.rank(), comm.size());
  std::unique_ptr<hpf::Engine<Real>> engine;
#if DGTD_CUDA
  if (backend.cuda)
    engine = diagonal ? reproductions::make_cuda_diagonal_engine<Real>(setup, c.solver.block_size, *d,
                                                                       backend.transport, comm)
                      : hpf::make_cuda_engine<Real>(setup, *d, backend.transport, comm);
#endif
  if (!engine)
    engine = diagonal ? reproductions::make_cpu_diagonal_engine<Real>(setup, *d, comm)
                      : hpf::make_cpu_engine<Real>(setup, *d, comm);
  return std::make_unique<hpf::PotentialSolver<Real>>(std::move(d), std::move(engine), c.sources, comm);
}

}  // namespace

GridScene make_grid_scene(const config::Case& c) {
  check_materials(c);
  GridScene scene;
  grid::Setup& setup = scene.setup;
  setup.grid = {c.grid.spacings, c.grid.origin};
  setup.layer_cells = c.grid.pml;
  setup.courant = c.solver.cfl_fraction;
  setup.axes = config::dimensions(c.solver.method);
  if (c.solver.polarisation != config::Polarisation::both) setup.components = setup.axes == 2 ? 3 : 2;
  const auto types = config::side_types(c);
  for (int s = 0; s < 6; ++s) setup.sides[s] = side_of(types[s]);
  scene.materials = materials_of(c);
  for (const auto& m : scene.materials) setup.materials.push_back(grid_material(m));
  const auto number_of = [&](const std::string& name) {
    return static_cast<int>(
        std::find_if(scene.materials.begin(), scene.materials.end(), [&](const auto& m) { return m.name == name; }) -
        scene.materials.begin());
  };
  setup.bloch_phase = config::bloch_phases(c);
  scene.media = std::make_unique<grid::SceneMedia>(grid::Scene(make_bodies(c.shapes, setup.grid, number_of), 0),
                                                   setup.materials, c.grid.subpixel);
  check_places(c, setup);
  return scene;
}

GridProblem make_grid_problem(const config::Case& c, const Backend& backend, const parallel::Communicator& comm,
                              std::int64_t steps) {
  if (c.solver.variant != config::Variant::native && comm.size() > 1)
    throw Error(fmt::format("solver.variant = {}: requires 1 rank, and there are {}", config::name_of(c.solver.variant),
                            comm.size()));
  GridScene scene = make_grid_scene(c);
  const grid::Setup& setup = scene.setup;
  const char* const hint = c.monitors.empty()
                               ? "fewer cells or single precision"
                               : "fewer cells, smaller monitors with fewer frequencies, or single precision";
  if (backend.cuda) check_device_memory(bytes_needed(c, setup, comm), backend, comm, hint);
  else check_host_memory(bytes_needed(c, setup, comm), comm, hint);

  GridProblem problem;
  problem.materials = std::move(scene.materials);
  problem.media = std::move(scene.media);
  problem.complex_fields = setup.has_bloch_phase();
  for (int side = 0; side < 6; ++side) problem.closed = problem.closed && !setup.is_open(side);
  const bool potentials = c.solver.method.has.potentials;
  const hpf::Setup of_potentials{
      setup, c.solver.stencil == config::Stencil::line ? hpf::Stencil::line : hpf::Stencil::laplacian,
      c.solver.potential == config::Potential::magnetic ? hpf::Potential::magnetic : hpf::Potential::electric,
      c.solver.kernels == config::Kernels::split ? hpf::Kernels::split : hpf::Kernels::fused, c.solver.block_timesteps};
  problem.schedule = monitor::make_schedule(
      c, setup.courant * (potentials ? hpf::stability_limit(of_potentials) : fdtd::stability_limit(setup)), steps);
  problem.power_box = fdtd::power_box(setup, c.sources);
  const double dt = problem.schedule.time_step;
  const bool single = c.solver.precision == config::Precision::single_precision;
  if (potentials) {
    problem.solver = single ? make_potential_solver<float>(c, of_potentials, *problem.media, dt, backend, comm)
                            : make_potential_solver<double>(c, of_potentials, *problem.media, dt, backend, comm);
    return problem;
  }
  auto solver = single ? make_solver<float>(c, setup, *problem.media, dt, backend, comm)
                       : make_solver<double>(c, setup, *problem.media, dt, backend, comm);
  problem.powers = solver.get();
  problem.solver = std::move(solver);
  return problem;
}

}  // namespace dgtd::app
