#include "app/problems/dg_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "app/problems/element_orders.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#if DGTD_CUDA
#include "dgtd/dg/cuda_executor.hpp"
#endif
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/guide_port.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/leap_frog.hpp"
#include "dgtd/dg/mixed_solver.hpp"
#include "dgtd/dg/order_parts.hpp"
#include "dgtd/dg/partition_work.hpp"
#include "dgtd/dg/penalised_faces.hpp"
#include "dgtd/dg/port.hpp"
#include "dgtd/dg/surface_wave.hpp"
#include "dgtd/dg/time_step.hpp"
#include "dgtd/mesh/two_copies.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::app {

std::vector<config::Material> group_materials(const config::Case& c, const mesh::Subdomain& mesh) {
  std::vector<std::string> names;
  for (const std::string& name : mesh.volume_names) names.push_back(mesh::without_layer_suffix(name));
  std::vector<config::Material> materials;
  for (const int i : config::match_materials(c, names)) {
    materials.push_back(c.materials[i]);
    if (mesh::is_layer_name(mesh.volume_names[materials.size() - 1])) materials.back().density.reset();
  }
  return materials;
}

namespace {

// A plane wave without a box enters through the whole absorbing boundary: one lossless exterior. Returns its volume
// group.
int exterior_group(const std::vector<dg::AbsorbingFace>& faces, const mesh::Subdomain& mesh,
                   const std::vector<physics::Medium>& materials, const parallel::Communicator& comm) {
  std::vector<double> behind(materials.size(), 0.0);
  for (const auto& face : faces) behind[mesh.element_group[face.element]] = 1;
  behind = comm.max(std::move(behind));
  int first = -1;
  for (std::size_t g = 0; g < materials.size(); ++g) {
    if (behind[g] == 0) continue;
    if (first < 0) first = static_cast<int>(g);
    const auto& a = materials[first];
    const auto& b = materials[g];
    if (!b.is_lossless())
      throw Error(fmt::format("a plane wave needs a lossless exterior: '{}' lies behind the absorbing boundary with {}",
                              mesh.volume_names[g],
                              b.poles.empty() ? fmt::format("sigma = {} S/m", b.conductivity) : "poles"));
    if (a.permittivity != b.permittivity || a.permeability != b.permeability)
      throw Error(fmt::format(
          "a plane wave needs one exterior material: '{}' and '{}' lie behind the absorbing boundary and differ",
          mesh.volume_names[first], mesh.volume_names[g]));
  }
  if (first < 0)
    throw Error(
        "a plane wave enters through an absorbing boundary, and the case has none (boundary type silver-muller)");
  return first;
}

// The total field of a wave with a box, and what its user should know of it. Collective.
template <class Real>
void check_total_field(const dg::Discretisation<Real>& d, const physics::Source& source,
                       const dg::SourceSurface& surface, const parallel::Communicator& comm) {
  const std::string where = fmt::format("{}: source.{}", source.origin, source.name);
  if (surface.elements == 0)
    throw Error(
        source.total_field.empty()
            ? fmt::format("{}: no element has its centroid between box_min and box_max: give a larger box, or smaller "
                          "elements",
                          where)
            : fmt::format("{}: total_field has no elements", where));
  if (surface.faces == 0)
    throw Error(
        fmt::format("{}: all elements are {}: the wave enters through faces inside the mesh, so elements must be "
                    "outside",
                    where, source.total_field.empty() ? "between box_min and box_max" : "in total_field"));
  std::vector<double> outside(d.material.size(), 0.0);
  for (std::size_t e = 0; e < surface.in_total.size(); ++e)
    if (!surface.in_total[e]) outside[d.mesh.element_group[e]] = 1;
  outside = comm.max(std::move(outside));
  for (std::size_t g = 0; g < outside.size(); ++g)
    if (outside[g] > 0 && !d.material[g].is_lossless())
      log::warn(
          "{}: '{}' is partly or wholly outside of the total field: what it absorbs there is a part of the "
          "scattered field",
          where, d.mesh.volume_names[g]);
}

// The faces of a sheet or a beam. A wave to one side is that of its plane on faces beside the plane, too; a current is not.
void check_plane(const physics::Source& source, const dg::SourceSurface& surface) {
  constexpr double slack = 1e-3;  // of a wavelength
  const std::string where = fmt::format("{}: source.{}", source.origin, source.name);
  if (surface.faces == 0)
    throw Error(fmt::format("{}: no face between two elements of the mesh is at its plane, or inside of its size", where));
  const double wavelength = speed_of_light / source.waveform.frequency /
                            std::sqrt(surface.medium.permittivity * surface.medium.permeability);
  const bool exact = source.type == physics::Source::Type::gaussian_beam ||
                     (source.profile.empty() && norm(source.direction) > 0);
  if (!exact && surface.off_plane > slack * wavelength)
    log::warn(
        "{}: the mesh has no faces in the sheet's plane: its current is on those up to {:.3g} m beside it, {:.2g} "
        "wavelengths",
        where, surface.off_plane, surface.off_plane / wavelength);
}

// The material around a source that launches waves inside of the mesh; -1: none does. Checks them. Collective.
template <class Real>
int launching_group(const dg::Discretisation<Real>& d, const std::vector<config::Source>& sources,
                    const parallel::Communicator& comm) {
  int group = -1;
  for (const auto& source : sources) {
    if (!dg::launches_inside(source)) continue;
    const dg::SourceSurface surface = dg::make_launch(d, source, comm).surface;
    if (source.type == physics::Source::Type::plane_wave) check_total_field(d, source, surface, comm);
    else check_plane(source, surface);
    for (std::size_t g = 0; g < d.mesh.volume_names.size(); ++g)
      if (d.mesh.volume_names[g] == surface.medium_name) group = static_cast<int>(g);
  }
  return group;
}

int field_lanes([[maybe_unused]] const Backend& backend) {
#if DGTD_CUDA
  if (backend.cuda) return dg::cuda_field_lanes;
#endif
  return dg::cpu_field_lanes;
}

#if DGTD_CUDA
constexpr const char* smaller_on_device = "a lower order or single precision";
// E and H, and four for each frequency of Fourier sums.
double fields_of_run(const config::Case& c) {
  return 2 + 4.0 * double(std::max(c.dft.frequencies.size(), std::size_t{c.time.frequency ? 1u : 0u}));
}
#endif

template <class Real>
std::unique_ptr<dg::Executor<Real>> make_executor(const dg::Discretisation<Real>& d, const config::Case& c,
                                                  const Backend& backend, const parallel::Communicator& comm) {
  const solver::KernelFusion fusion = c.solver.kernels;
#if DGTD_CUDA
  if (backend.cuda) {
    double of_sources = 0;
    for (const auto& source : c.sources)
      if (dg::launches_inside(source)) {
        const dg::Launch launch = dg::make_launch(d, source, comm);
        of_sources += dg::launch_bytes(launch.surface, launch.terms.size(), d.order);
      }
    for (const auto& port : c.ports)
      of_sources += port.is_lumped() ? dg::lumped_port_bytes(d.mesh, port, d.order) : dg::guide_port_bytes(d, port, comm);
    check_device_memory(dg::cuda_bytes_needed(d, fusion, fields_of_run(c)) + of_sources, backend, comm,
                        smaller_on_device);
    return dg::make_cuda_executor(d, fusion, backend.transport, comm);
  }
#endif
  (void)backend;
  return dg::make_cpu_executor(d, fusion, comm);
}

// The same of elements of several orders.
template <class Real>
dg::MakePartExecutors<Real> make_part_executors(const config::Case& c, const Backend& backend,
                                                const parallel::Communicator& comm) {
  return [&c, &backend, &comm](const dg::OrderParts& parts, const std::vector<const dg::Discretisation<Real>*>& d) {
    const solver::KernelFusion fusion = c.solver.kernels;
#if DGTD_CUDA
    if (backend.cuda) {
      double needed = 0;
      for (const auto* const of_part : d) needed += dg::cuda_bytes_needed(*of_part, fusion, fields_of_run(c));
      check_device_memory(needed, backend, comm, smaller_on_device);
      return dg::make_cuda_part_executors<Real>(parts, d, fusion, backend.transport, comm);
    }
#endif
    (void)backend;
    return dg::make_cpu_part_executors<Real>(parts, d, fusion, comm);
  };
}

/// Input of the discretisation.
struct Domain {
  const mesh::Subdomain& mesh;                    // two copies where there are Bloch faces
  std::vector<physics::Medium> materials;         // [volume groups]
  std::vector<physics::BoundaryKind> boundaries;  // [surface groups]
  std::vector<dg::BlochFace> bloch = {};
  std::optional<physics::BlochPhase> phase = {};  // of the fields, where there are Bloch faces
  std::vector<int> order_of_element = {};         // [elements]
  std::vector<int> orders = {};                   // those of elements of any rank, ascending
  int highest_order() const { return orders.back(); }
  bool is_mixed() const { return orders.size() > 1; }
};

/// The faces of a mesh at which u(x + L) = exp(i phase) u(x), and the phase of the fields.
struct BlochSides {
  std::vector<dg::BlochFace> faces;
  physics::BlochPhase phase;
};

/// mesh: where it has two copies of its elements, those of both. Collective.
BlochSides bloch_sides(const config::Case& c, const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  const auto [low, high] = mesh::bounds_of(mesh, comm);
  const Vec3 lengths = high - low;
  const auto phases = config::bloch_phases(c, {lengths.x, lengths.y, lengths.z});
  BlochSides sides{{}, {{}, low}};
  std::array<bool, 3> has_phase{};
  for (int a = 0; a < 3; ++a) {
    has_phase[a] = phases[a] != 0;
    sides.phase.wave_vector[a] = phases[a] / lengths[a];
  }
  for (const mesh::PeriodicFace& f : mesh::periodic_faces(mesh, has_phase, comm))
    sides.faces.push_back({f.element, f.face, f.high ? phases[f.axis] : -phases[f.axis]});
  return sides;
}

// Fields are complex: what the method computes of real ones only.
void check_complex(const config::Case& c) {
  if (c.solver.upwind > 0) throw Error("solver.upwind does not fit sides of type bloch; allowed is 0");
  for (const auto& s : c.snapshots)
    if (s.phasor)
      throw Error(fmt::format(
          "{}: snapshot.{}: phasor = on: fields between sides of type bloch are complex; use [dft]", s.origin, s.name));
  for (const auto& source : c.sources)
    if (dg::enters_through_boundary(source))
      throw Error(fmt::format(
          "{}: source.{}: between sides of type bloch a plane wave needs box_min and box_max or total_field",
          source.origin, source.name));
  for (const auto& port : c.ports)
    throw Error(fmt::format("{}: port.{}: there are no ports between sides of type bloch", port.origin, port.name));
  for (const auto& f : c.far_fields)
    throw Error(fmt::format("{}: far_field.{}: there is no far field between sides of type bloch; flux.NAME.orders has the "
                            "diffraction orders",
                            f.origin, f.name));
}

// The case's materials and boundaries for the groups of a mesh. Behind layers is the Silver-Mueller condition. orders:
// as in DgOptions. Collective.
Domain domain_of(const config::Case& c, const mesh::Subdomain& mesh, const std::vector<int>& orders,
                 const parallel::Communicator& comm) {
  Domain domain{mesh, {}, {}};
  const std::vector<config::Material> materials = group_materials(c, mesh);
  domain.materials.assign(materials.begin(), materials.end());
  domain.order_of_element = orders;
  if (comm.sum(static_cast<std::int64_t>(orders.size())) == 0)
    domain.order_of_element = ElementOrders(c, {}, comm).of(mesh, materials);
  else if (mesh.copies == 2)
    domain.order_of_element.insert(domain.order_of_element.end(), orders.begin(), orders.end());
  domain.orders = dg::orders_in_use(domain.order_of_element, comm);
  for (const int i : config::match_boundaries(c, mesh.surface_names)) {
    const auto kind = c.boundaries[i].type;
    domain.boundaries.push_back(is_layer(kind) ? physics::BoundaryKind::silver_muller : kind);
  }
  return domain;
}

// The longest time step, s, with which the leap-frog scheme's own error, (pi / steps)^2 / 6 of the frequency, is below
// 0.008 % in a run's highest frequency of interest.
double accurate_step(const config::Case& c) {
  constexpr double steps_per_period = 145;
  double frequency = c.time.frequency.value_or(0);
  const auto use = [&](const std::vector<double>& frequencies) {
    for (const double f : frequencies) frequency = std::max(frequency, f);
  };
  use(c.dft.frequencies);
  for (const auto& flux : c.fluxes) use(flux.frequencies);
  for (const auto& monitor : c.monitors) use(monitor.frequencies);
  for (const auto& far : c.far_fields) use(far.frequencies);
  for (const auto& port : c.ports) use(port.frequencies);
  if (frequency == 0) frequency = std::max(physics::highest_frequency(c.sources), c.mesh.highest_frequency.value_or(0));
  return frequency > 0 ? 1 / (steps_per_period * frequency) : std::numeric_limits<double>::infinity();
}

// The longest step, s, for the media with poles that have elements on finer levels. Collective.
double accurate_step_in_poles(const config::Case& c, const Domain& domain, const dg::TimeLevels& levels,
                              const parallel::Communicator& comm) {
  const auto band = config::band_in_use(c);
  std::vector<double> on_levels(domain.materials.size(), 0.0);
  for (std::size_t e = 0; e < domain.mesh.elements(); ++e)
    if (levels.of_element[e] > 0) on_levels[domain.mesh.element_group[e]] = 1;
  on_levels = comm.max(std::move(on_levels));
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < on_levels.size() && band; ++g)
    if (on_levels[g] > 0)
      step = std::min(step,
                      dg::longest_step_on_levels(domain.materials[g], 2 * pi * band->lowest, 2 * pi * band->highest));
  return step;
}

// Levels for local time steps; none where the case has global ones, or `auto` expects little. Their coarse step is not
// longer than what the accuracy in time permits.
dg::TimeLevels choose_levels(const config::Case& c, const Domain& domain, int most,
                             const parallel::Communicator& comm) {
  constexpr double worthwhile = 1.3, stable = 0.7;  // the step that is stable is about that share of the limits
  const bool automatic = c.time.local_steps == config::LocalSteps::automatic;
  if (c.time.local_steps == config::LocalSteps::off || c.solver.kernels == solver::KernelFusion::split || most < 2)
    return {};
  const auto limits = dg::local_step_limits(domain.mesh, domain.materials, domain.order_of_element, comm);
  auto absorbing = dg::absorbing_elements(domain.mesh, domain.boundaries);
  if (config::has_bloch_phase(c))
    for (const dg::BlochFace& face : bloch_sides(c, domain.mesh, comm).faces) absorbing[face.element] = 1;
  const auto in_layer = layer_elements(domain.mesh);
  const auto at_ports = dg::port_elements(domain.mesh, c.ports);
  for (std::size_t e = 0; e < absorbing.size(); ++e) absorbing[e] |= in_layer[e] | at_ports[e];
  double longest = accurate_step(c);
  auto levels = dg::assign_time_levels(domain.mesh, limits, absorbing, most, comm, longest / stable);
  if (levels.finest > 0) {
    const double in_poles = accurate_step_in_poles(c, domain, levels, comm);
    if (in_poles < longest && in_poles < stable * levels.coarse_limit)
      levels = dg::assign_time_levels(domain.mesh, limits, absorbing, most, comm, in_poles / stable);
  }
  if (automatic && levels.gain < worthwhile) return {};
  return levels;
}

mesh::ElementWork work_of(const config::Case& c, const Domain& domain, const dg::TimeLevels& levels,
                          const parallel::Communicator& comm) {
  return dg::partition_work(domain.mesh, levels, domain.order_of_element, c.mesh.curved, comm);
}

// The time step of local steps: from the finest level, shortened until the bounds of the very step that runs hold.
// False where no such step was found. levels: of the mesh; make_step(): a dg::LevelTimeStep.
template <class MakeStep>
bool plan_local_steps(DgProblem& problem, const config::Case& c, const Domain& domain, const dg::TimeLevels& levels,
                      const MakeStep& make_step, const DgOptions& options, const parallel::Communicator& comm,
                      Timers& timers) {
  constexpr double first_share = 0.955, most = 0.985, next = 0.97, usual_fraction = 0.95;
  constexpr int tries = 12;
  std::optional<Timers::Scope> part(std::in_place, timers, "time_step/finest_level");
  auto step = make_step();
  part.emplace(timers, "time_step/bounds");
  double dt = std::min(step.time_step(first_share), 1.1 * levels.coarse_limit) *
              std::min(1.0, c.solver.cfl_fraction / usual_fraction);
  dt = std::min({dt, accurate_step(c), accurate_step_in_poles(c, domain, levels, comm)});
  for (int i = 0; i < tries; ++i) {
    problem.plan = make_time_plan(c, dt, options.steps);
    const auto bounds = step.bounds(problem.plan.time_step);
    problem.stability_iterations += bounds.iterations;
    if (options.is_stable ? options.is_stable(bounds) : bounds.largest() <= most) {
      // The steps that were tried before it are not those of the run that is continued.
      if (options.continued > 0) problem.plan = make_time_plan(c, dt, options.steps, options.continued);
      const double global = c.solver.cfl_fraction * step.global_limit();
      auto elements = levels.elements;
      for (auto& count : elements) count /= domain.mesh.copies;
      problem.levels = {std::move(elements), problem.plan.time_step / global / levels.updates, bounds.largest(),
                        mesh::work_imbalance(work_of(c, domain, levels, comm), comm)};
      return true;
    }
    // A bound above one grows with the square of the step.
    dt = std::clamp(std::sqrt(next / bounds.largest_finite()), 0.7, 0.98) * problem.plan.time_step;
  }
  return false;
}

std::string levels_text(int finest) { return finest == 0 ? "global steps" : fmt::format("{} levels", finest + 1); }

// Where no step of so many levels is certainly stable: the levels of a case with fewer. Collective.
dg::TimeLevels fewer_levels(const config::Case& c, const Domain& domain, int finest,
                            const parallel::Communicator& comm) {
  auto levels = choose_levels(c, domain, finest, comm);
  log::warn("local time steps: no stable time step was found with {}; the run has {}", levels_text(finest),
            levels_text(levels.finest));
  return levels;
}

// Collective.
void check_curved_order(const config::Case& c, const Domain& domain, const parallel::Communicator& comm) {
  if (c.mesh.curved == mesh::CurvedElements::full &&
      comm.sum(static_cast<std::int64_t>(domain.mesh.curved.size())) > 0)
    dg::check_curved_order(domain.highest_order());
}

// The time step of a run whose elements all take the same steps. limit(): a dg::StabilityLimit. Collective.
template <class Limit>
void plan_global_steps(DgProblem& problem, const config::Case& c, const DgOptions& options, const Limit& limit) {
  double time_step = options.time_step;
  if (time_step == 0) {
    const dg::StabilityLimit found = limit();
    problem.stability_iterations = found.iterations;
    time_step = c.solver.cfl_fraction * found.time_step;
  }
  problem.plan = make_time_plan(c, time_step, options.steps, options.continued);
}

void tell_uneven_elements(std::int64_t of_rank, const parallel::Communicator& comm) {
  if (const std::int64_t uneven = comm.sum(of_rank); uneven > 0 && comm.is_root())
    log::info("mesh: {} curved elements are bent so much that they have the mean of their metric", uneven);
}

template <class Real>
void make_solver(DgProblem& problem, const config::Case& c, const Domain& domain, const Backend& backend,
                 const parallel::Communicator& comm, const DgOptions& options, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "discretise"),
      part(std::in_place, timers, "discretise/elements");
  const bool incident = std::any_of(c.sources.begin(), c.sources.end(), dg::enters_through_boundary);
  dg::TimeLevels levels;
  if (options.levels && domain.mesh.copies == 1) levels = *options.levels;
  else if (options.time_step == 0) levels = choose_levels(c, domain, c.time.levels, comm);

  check_curved_order(c, domain, comm);
  auto [rates, figures] = layers_of(c, domain.mesh, domain.materials, comm);
  problem.layers = std::move(figures);
  std::unique_ptr<dg::Discretisation<Real>> d;
  std::unique_ptr<dg::Executor<Real>> executor;
  for (bool found = false; !found;) {
    executor.reset();
    part.emplace(timers, "discretise/elements");
    const int finest = levels.finest;
    d = std::make_unique<dg::Discretisation<Real>>(
        domain.mesh, domain.materials, domain.boundaries, domain.highest_order(), incident, field_lanes(backend),
        std::move(levels), rates, domain.bloch, c.mesh.curved, c.solver.upwind);
    dg::exempt_from_penalty(*d, c.sources, c.ports, comm);
    part.emplace(timers, "discretise/executor");
    executor = make_executor(*d, c, backend, comm);
    part.reset();
    stage.emplace(timers, "time_step");
    found = true;
    if (finest > 0) {
      const auto make_step = [&] { return dg::LevelTimeStep<Real>(*d, *executor, comm); };
      found = plan_local_steps(problem, c, domain, d->time_levels, make_step, options, comm, timers);
      if (!found) levels = fewer_levels(c, domain, finest, comm);
    } else {
      plan_global_steps(problem, c, options, [&] { return dg::stability_limit(*d, *executor, comm); });
    }
    stage.emplace(timers, "discretise");
  }
  tell_uneven_elements(d->uneven_elements, comm);
  if (const int group = launching_group(*d, c.sources, comm); group >= 0)
    problem.exterior = problem.group_material[static_cast<std::size_t>(group)];
  if (incident)
    problem.exterior = problem.group_material[exterior_group(d->absorbing_faces, domain.mesh, d->material, comm)];
  problem.pole_bytes = comm.sum(d->pole_bytes());
  problem.closed = comm.max(static_cast<std::int64_t>(d->absorbing_faces.size())) == 0;
  part.emplace(timers, "discretise/solver");
  auto sources = c.sources;
  for (auto& source : sources)
    if (source.type == config::Source::Type::plane_wave && !domain.phase)
      source = dg::start_outside(*d, source, comm);
    else source.phase = domain.phase;
  auto solver = std::make_unique<dg::DgSolver<Real>>(
      std::move(d), std::move(executor), problem.plan.time_step, sources, domain.mesh.volume_names, comm,
      dg::leap_frog<Real>(problem.plan.time_step,
                          options.expected_steps > 0 ? options.expected_steps : problem.plan.steps),
      c.ports);
  problem.ports = solver.get();
  problem.sums = solver.get();
  problem.currents = solver.get();
  problem.errors = solver.get();
  if (solver->is_complex()) problem.phases = solver.get();
  problem.solver = std::move(solver);
}

// Elements of several orders: what the method computes with one order only. Throws Error.
void check_mixed(const config::Case& c, const Domain& domain) {
  const std::string orders = fmt::format("elements of several orders (P{})", fmt::join(domain.orders, ", P"));
  if (config::has_bloch_phase(c)) throw Error(fmt::format("boundary: sides of type bloch do not fit {}", orders));
  if (c.solver.upwind > 0) throw Error(fmt::format("solver.upwind does not fit {}; allowed is 0", orders));
  for (const auto& port : c.ports)
    throw Error(fmt::format("{}: port.{}: ports do not fit {}", port.origin, port.name, orders));
  for (const auto& source : c.sources)
    if (dg::launches_inside(source))
      throw Error(fmt::format(
          "{}: source.{}: {} have dipoles, and plane waves that enter through the absorbing boundary, without box_min "
          "and box_max or total_field",
          source.origin, source.name, orders));
}

// The absorbing faces of all parts by their elements in the whole mesh.
template <class Real>
std::vector<dg::AbsorbingFace> absorbing_faces_of(const dg::MixedDiscretisation<Real>& d) {
  std::vector<dg::AbsorbingFace> faces;
  for (std::size_t p = 0; p < d.d.size(); ++p)
    for (const dg::AbsorbingFace& face : d.d[p]->absorbing_faces)
      faces.push_back({d.parts.parts[p].elements[face.element], face.face});
  return faces;
}

// As make_solver, for elements of several orders.
template <class Real>
void make_mixed_solver(DgProblem& problem, const config::Case& c, const Domain& domain, const Backend& backend,
                       const parallel::Communicator& comm, const DgOptions& options, Timers& timers) {
  check_mixed(c, domain);
  check_curved_order(c, domain, comm);
  std::optional<Timers::Scope> stage(std::in_place, timers, "discretise"),
      part(std::in_place, timers, "discretise/elements");
  const bool incident = std::any_of(c.sources.begin(), c.sources.end(), dg::enters_through_boundary);
  auto [rates, figures] = layers_of(c, domain.mesh, domain.materials, comm);
  problem.layers = std::move(figures);
  dg::MixedSetup setup{domain.materials, domain.boundaries, {},           incident, std::move(rates),
                       c.mesh.curved,    c.solver.kernels};
  setup.order_of_element = domain.order_of_element;
  setup.lanes = field_lanes(backend);
  if (options.levels) setup.levels = *options.levels;
  else if (options.time_step == 0) setup.levels = choose_levels(c, domain, c.time.levels, comm);
  std::unique_ptr<dg::MixedDiscretisation<Real>> made;
  for (bool found = false; !found;) {
    made.reset();
    made = std::make_unique<dg::MixedDiscretisation<Real>>(domain.mesh, setup, comm,
                                                           make_part_executors<Real>(c, backend, comm));
    part.reset();
    stage.emplace(timers, "time_step");
    found = true;
    if (setup.levels.finest > 0) {
      const auto make_step = [&] { return made->level_time_step(comm); };
      found = plan_local_steps(problem, c, domain, setup.levels, make_step, options, comm, timers);
      if (!found) setup.levels = fewer_levels(c, domain, setup.levels.finest, comm);
    } else {
      plan_global_steps(problem, c, options, [&] { return made->stability_limit(comm); });
    }
    stage.emplace(timers, "discretise");
  }
  dg::MixedDiscretisation<Real>& d = *made;
  std::int64_t uneven = 0;
  double pole_bytes = 0;
  for (const auto& of_part : d.d) uneven += of_part->uneven_elements, pole_bytes += of_part->pole_bytes();
  tell_uneven_elements(uneven, comm);
  problem.pole_bytes = comm.sum(pole_bytes);
  const auto absorbing = absorbing_faces_of(d);
  if (incident)
    problem.exterior = problem.group_material[exterior_group(absorbing, domain.mesh, domain.materials, comm)];
  problem.closed = comm.max(static_cast<std::int64_t>(absorbing.size())) == 0;
  for (const dg::OrderPart& of_order : d.parts.parts)
    problem.orders.push_back({of_order.order, comm.sum(static_cast<std::int64_t>(of_order.elements.size()))});
  problem.order_imbalance = mesh::work_imbalance(work_of(c, domain, {}, comm), comm).front();
  part.emplace(timers, "discretise/solver");
  auto sources = c.sources;
  for (auto& source : sources)
    for (const auto& of_part : d.d)  // each moves it only as far as those before have not
      if (source.type == config::Source::Type::plane_wave) source = dg::start_outside(*of_part, source, comm);
  auto solver = std::make_unique<dg::MixedSolver<Real>>(std::move(d), problem.plan.time_step, sources,
                                                        domain.mesh.volume_names, comm);
  problem.sums = solver.get();
  problem.currents = solver.get();
  problem.errors = solver.get();
  problem.solver = std::move(solver);
}

}  // namespace

dg::TimeLevels local_step_levels(const config::Case& c, const mesh::Subdomain& mesh,
                                 const parallel::Communicator& comm, const std::vector<int>& orders) {
  return choose_levels(c, domain_of(c, mesh, orders, comm), c.time.levels, comm);
}

DgProblem make_dg_problem(const config::Case& c, const mesh::Subdomain& mesh, const Backend& backend,
                          const parallel::Communicator& comm, const DgOptions& options, Timers& timers) {
  DgProblem problem;
  if (config::has_bloch_phase(c)) {
    check_complex(c);
    problem.two_copies = std::make_shared<mesh::Subdomain>(mesh::two_copies(mesh));
  }
  Domain domain = domain_of(c, problem.two_copies ? *problem.two_copies : mesh, options.orders, comm);
  if (problem.two_copies) {
    BlochSides sides = bloch_sides(c, mesh, comm);
    domain.bloch = std::move(sides.faces);
    domain.phase = sides.phase;
  }
  problem.group_material = group_materials(c, mesh);
  problem.highest_order = domain.highest_order();
  const bool single = c.solver.precision == config::Precision::single_precision;
  const auto make = !domain.is_mixed() ? (single ? make_solver<float> : make_solver<double>)
                                       : (single ? make_mixed_solver<float> : make_mixed_solver<double>);
  make(problem, c, domain, backend, comm, options, timers);
  return problem;
}

}  // namespace dgtd::app
