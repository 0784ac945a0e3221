#include "dgtd/app/grid_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/app/grid_bodies.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/fdtd/scene_media.hpp"

namespace dgtd::app {

namespace {

fdtd::Side side_of(config::Boundary::Type type) {
  using Type = config::Boundary::Type;
  switch (type) {
    case Type::pec: return fdtd::Side::pec;
    case Type::pmc: return fdtd::Side::pmc;
    case Type::periodic:
    case Type::bloch: return fdtd::Side::periodic;
    case Type::mur: return fdtd::Side::mur;
    default: return fdtd::Side::absorbing;
  }
}

// Materials of the case, the background first, and vacuum where the case names none.
struct Materials {
  std::vector<fdtd::Material> list;
  std::vector<std::string> names;
  int number_of(const std::string& name) const { return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()); }
};

Materials materials_of(const config::Case& c) {
  Materials m;
  const auto add = [&](const config::Material& from) {
    m.names.push_back(from.name);
    m.list.push_back({from.eps_r, from.mu_r, from.sigma, from.sigma_m, from.poles, from.perfect_conductor});
  };
  const auto background = std::find_if(c.materials.begin(), c.materials.end(), [&](const auto& x) { return x.name == c.grid.background; });
  if (background == c.materials.end()) {
    m.names.emplace_back();
    m.list.emplace_back();
  } else {
    add(*background);
  }
  for (const auto& material : c.materials)
    if (material.name != c.grid.background) add(material);
  return m;
}

// All poles must absorb in the band that sources and monitors use.
void check_materials(const config::Case& c) {
  const auto band = config::band_in_use(c);
  if (!band) return;
  for (const auto& m : c.materials)
    if (!m.poles.empty()) physics::check_passive(m.name, m.eps_r, m.sigma, m.poles, 2 * pi * band->lowest, 2 * pi * band->highest);
}

// Fields, indices of classes at worst, layers, Fourier sums.
double device_bytes(const config::Case& c, const fdtd::Setup& setup, const parallel::Communicator& comm) {
  const double real = c.solver.precision == config::Precision::single_precision ? 4 : 8;
  const double cells = 1.1 * double(setup.grid.cells()) / comm.size();
  double reals = 6 + 12.0 * double(c.dft.frequencies.size()) + 3;  // fields, phasors, H kept for the energy
  for (int a = 0; a < 3; ++a) reals += 4.0 * 2 * (setup.layer_cells + 8.0) / double(setup.grid.cells(a));
  return cells * (reals * real + 12) * (setup.has_bloch_phase() ? 2 : 1);
}

template <class Real>
std::unique_ptr<fdtd::GridSolver> make_solver(const config::Case& c, const fdtd::Setup& setup, const fdtd::Media& media, double dt, const Backend& backend,
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
  auto engine = make_engine();
  auto imaginary = setup.has_bloch_phase() ? make_engine() : nullptr;
  return std::make_unique<fdtd::FdtdSolver<Real>>(setup, std::move(d), std::move(engine), c.sources, c.fluxes, comm, std::move(imaginary));
}

}  // namespace

GridProblem make_grid_problem(const config::Case& c, const Backend& backend, const parallel::Communicator& comm, std::int64_t steps) {
  check_materials(c);
  fdtd::Setup setup;
  setup.grid = {c.grid.spacings, c.grid.origin};
  setup.layer_cells = c.grid.pml;
  setup.courant = c.solver.courant;
  const auto types = config::side_types(c);
  for (int s = 0; s < 6; ++s) setup.sides[s] = side_of(types[s]);
  const Materials materials = materials_of(c);
  setup.materials = materials.list;
  setup.bloch_phase = config::bloch_phases(c);
  std::vector<mesh::Body> bodies = make_bodies(c.shapes, setup.grid, [&](const std::string& name) { return materials.number_of(name); });
  if (backend.cuda) check_device_memory(device_bytes(c, setup, comm), backend, comm, "fewer cells or single precision");

  GridProblem problem;
  for (int side = 0; side < 6; ++side) problem.closed = problem.closed && !setup.is_open(side);
  problem.schedule = monitor::make_schedule(c, setup.courant * fdtd::stability_limit(setup), steps);
  const fdtd::SceneMedia media(mesh::Scene(std::move(bodies), 0), setup.materials, c.grid.subpixel);
  const double dt = problem.schedule.time_step;
  problem.solver = c.solver.precision == config::Precision::single_precision ? make_solver<float>(c, setup, media, dt, backend, comm)
                                                                             : make_solver<double>(c, setup, media, dt, backend, comm);
  return problem;
}

}  // namespace dgtd::app
