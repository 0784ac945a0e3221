// The problem of the finite-difference methods on grids, and of the reproductions of a plane's half steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "app/problems/exact_sphere.hpp"
#include "app/problems/far_field_images.hpp"
#include "app/problems/grid_scene.hpp"
#include "app/problems/incident_spectrum.hpp"
#include "app/problems/methods.hpp"
#include "app/problems/order_planes.hpp"
#include "app/problems/output_selection.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/observers/absorbed_spectrum.hpp"
#include "dgtd/observers/box_snapshots.hpp"
#include "dgtd/observers/far_fields.hpp"
#include "dgtd/observers/grid_powers.hpp"
#include "dgtd/observers/ports.hpp"
#include "dgtd/reproductions/plane_variant.hpp"

namespace dgtd::app {

namespace {

using reproductions::Variant;  // how a reproduction computes half steps; none: the engine computes them

// Memory of this rank's samples of field monitors, bytes.
double monitor_bytes(const config::Case& c, const grid::Setup& setup, double real, const parallel::Communicator& comm) {
  const auto block = grid::block_of_rank(setup.grid, setup.periodic(), comm.rank(), comm.size(), setup.margin > 0);
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
double bytes_needed(const config::Case& c, std::optional<Variant> variant, const grid::Setup& setup,
                    const parallel::Communicator& comm) {
  const bool is_half = c.solver.precision == config::Precision::half_precision;
  const double real = c.solver.precision == config::Precision::double_precision ? 8 : 4, stored = is_half ? 2 : real;
  const double cells = 1.1 * double(setup.grid.cells()) / comm.size();
  const double fields = 6 + 3;                             // and H kept for the energy
  double reals = 12.0 * double(c.dft.frequencies.size());  // phasors
  for (int a = 0; a < setup.axes; ++a) reals += 4.0 * 2 * (setup.layer_cells + 8.0) / double(setup.grid.cells(a));
  // Passes over a plane: the fields they go to, and layers' sums of both.
  if (setup.axes < 3)
    reals += 6 + (setup.is_open(0) || setup.is_open(1) || setup.is_open(2) || setup.is_open(3) ? 8 : 0);
  const double matrices =
      variant == Variant::cublas_matrix ? 2 * real * double(setup.grid.cells(1)) * double(setup.grid.cells(1)) : 0;
  return (cells * (fields * stored + reals * real + 12) + monitor_bytes(c, setup, real, comm)) *
             (setup.has_bloch_phase() ? 2 : 1) +
         matrices;
}

// A line for the user where media have many values; elsewhere the rounding is that of their own digits.
std::string description_of_media(const config::Case& c, const fdtd::MediaRounding& rounding,
                                 const parallel::Communicator& comm) {
  const bool is_coarse = rounding.bits < fdtd::MediaRounding().bits;
  if (c.permittivities.empty() && !is_coarse) return "";
  return fmt::format(
      "permittivities{} are rounded by up to {:.2g} of their value: {} different ones{}{}",
      is_coarse ? " and conductivities" : "", rounding.largest_error(), comm.max(rounding.classes),
      comm.size() > 1 ? " per rank" : "",
      is_coarse ? fmt::format(" in place of {}; {} can be stored", rounding.media, fdtd::MediaRounding::most_classes)
                : "");
}

template <class Stored>
std::unique_ptr<grid::PowerSolver> make_solver(const config::Case& c, std::optional<Variant> variant,
                                               const grid::Setup& setup, const grid::Media& media, double dt,
                                               const Backend& backend, const parallel::Communicator& comm,
                                               Timers& timers, const std::function<void()>& check_memory,
                                               std::vector<std::string>& lines) {
  const solver::KernelFusion fusion = c.solver.kernels;
  auto d = std::make_unique<fdtd::Discretisation<arithmetic_t<Stored>>>(setup, media, dt, comm.rank(), comm.size(),
                                                                        &timers, &comm);
  lines.push_back(description_of_media(c, d->rounding, comm));
  check_memory();
  const auto make_engine = [&]() -> std::unique_ptr<fdtd::Engine<Stored>> {
    const auto stage = timers.measure("discretise/device");
#if DGTD_CUDA
    if (backend.cuda) return fdtd::make_cuda_engine<Stored>(*d, fusion, backend.transport, comm);
#endif
    (void)backend;
    return fdtd::make_cpu_engine<Stored>(*d, fusion, comm);
  };
  auto engine = make_engine();
  auto imaginary = setup.has_bloch_phase() ? make_engine() : nullptr;
  auto solver = [&] {
    const auto stage = timers.measure("discretise/sources");
    return std::make_unique<fdtd::FdtdSolver<Stored>>(setup, std::move(d), std::move(engine), c.sources, comm,
                                                      std::move(imaginary), c.ports);
  }();
  // Several steps per pass over memory; reproductions and `kernels = split` keep half steps.
  using config::Polarisation;
  const auto p = c.solver.polarisation;
  const bool has_passes = !variant && fusion == solver::KernelFusion::fused;
  if constexpr (!is_compressed<Stored>)  // reproductions are of planes
    if (variant) reproductions::use_variant(*solver, *variant);
  const auto stage = timers.measure("discretise/passes");
  if (has_passes && setup.axes == 3) (void)solver->start_volume_passes(c.dft.frequencies.size(), true, &timers);
  else if (has_passes && (p == Polarisation::ez || p == Polarisation::hz))
    solver->start_plane_passes(setup, p == Polarisation::ez ? fdtd::PlaneFields::ez : fdtd::PlaneFields::hz);
  lines.push_back(solver->description_of_steps());
  return solver;
}

// Ranks share planes along z where passes of several steps serve the problem.
int margin_of(const config::Case& c, std::optional<Variant> variant, const grid::Setup& setup, int ranks) {
  const bool passes = c.solver.precision != config::Precision::double_precision && !variant &&
                      c.solver.kernels != solver::KernelFusion::split;
  const bool hard = std::any_of(c.sources.begin(), c.sources.end(),
                                [](const auto& s) { return s.type == config::Source::Type::hard; });
  return passes && !hard && c.ports.empty() ? fdtd::margin_of_passes(setup, ranks) : 0;
}

bool is_mirror(physics::BoundaryKind kind) {
  return kind == physics::BoundaryKind::pec || kind == physics::BoundaryKind::pmc;
}

// The images of a far field in the mirrors at which its box ends. Throws Error.
std::vector<solver::ImagePlane> images_on_grid(const physics::FarField& f, const grid::Setup& setup) {
  ReachedMirrors reached;
  for (std::size_t side = 0; side < 6; ++side) {
    if (!is_mirror(setup.sides[side])) continue;
    const int a = static_cast<int>(side / 2);
    const bool upper = side % 2 == 1;
    const std::int64_t node = setup.grid.nearest_node(a, f.centre[a] + (upper ? 0.5 : -0.5) * f.size[a]);
    const auto nodes = setup.grid.nodes(a);
    if (upper ? node >= setup.grid.cells(a) : node <= 0)
      reached[side] = {a, upper ? nodes.back() : nodes.front(), setup.sides[side] == physics::BoundaryKind::pec};
  }
  return far_field_images(f, reached);
}

// Far fields need a box inside the grid, or up to its mirrors, and a lossless background.
void check_far_fields(const config::Case& c, const grid::Setup& setup) {
  const grid::CartesianGrid& grid = setup.grid;
  for (const auto& f : c.far_fields) {
    for (const double phase : config::bloch_phases(c))
      if (phase != 0)
        throw Error(
            fmt::format("{}: far_field.{}: there is no far field between sides of type bloch; flux.NAME.orders has the "
                        "diffraction orders",
                        f.origin, f.name));
    for (int a = 0; a < 3; ++a) {
      const std::int64_t first = grid.nearest_node(a, f.centre[a] - 0.5 * f.size[a]),
                         last = grid.nearest_node(a, f.centre[a] + 0.5 * f.size[a]);
      const auto low = 2 * static_cast<std::size_t>(a), high = low + 1;
      if ((first <= 0 && !is_mirror(setup.sides[low])) || (last >= grid.cells(a) && !is_mirror(setup.sides[high])) ||
          first >= last)
        throw Error(fmt::format(
            "{}: far_field.{}: the box must lie inside the grid with all six faces, or end at sides of type "
            "pec or pmc, and be a cell thick at least; along {} it goes from {} to {} m, the grid "
            "from {} to {} m",
            f.origin, f.name, "xyz"[a], f.centre[a] - 0.5 * f.size[a], f.centre[a] + 0.5 * f.size[a],
            grid.nodes(a).front(), grid.nodes(a).back()));
    }
    for (const auto& m : c.materials)
      if (m.name == c.grid.background && !m.is_lossless())
        throw Error(fmt::format(
            "{}: far_field.{}: far fields need a background without losses and poles, and grid.background is {}",
            f.origin, f.name, m.name));
  }
}

// The planes that are resolved into orders.
std::vector<observers::OrderPlane> orders_on_grid(const config::Case& c, const GridScene& scene) {
  const grid::Setup& setup = scene.setup;
  Periods periods{setup.axes, setup.periodic(), {}, setup.bloch_phase};
  Vec3 cell;  // the smallest, m
  for (int a = 0; a < 3; ++a) {
    const auto& d = setup.grid.spacing[static_cast<std::size_t>(a)];
    periods.box[0][a] = setup.grid.nodes(a).front(), periods.box[1][a] = setup.grid.nodes(a).back();
    cell[a] = *std::min_element(d.begin(), d.end());
  }
  return order_planes(c.fluxes, periods, [&](const physics::Flux& flux) -> const physics::Medium* {
    Vec3 centre = 0.5 * (periods.box[0] + periods.box[1]), size = periods.box[1] - periods.box[0];
    for (int a = 0; a < 3; ++a)
      if (flux.size[a] == 0) centre[a] = flux.centre[a], size[a] = cell[a];
    const int material = scene.media->filling(centre, size);
    return material < 0 ? nullptr : &setup.materials[static_cast<std::size_t>(material)];
  });
}

// ports: null without ports
void add_spectra(Problem& problem, grid::PowerSolver& solver, const GridScene& scene, const config::Case& c,
                 const observers::Ports* ports, const parallel::Communicator& comm) {
  const auto incident = incident_spectrum(c, solver, c.grid.background.empty());
  if (!c.fluxes.empty()) {
    auto fluxes = std::make_unique<observers::Fluxes>(c.fluxes, solver, incident, comm, c.solver.method.has.dimensions,
                                                      c.output.reference);
    fluxes->compare_with(exact_sphere(c, scene.setup));
    fluxes->resolve_orders(orders_on_grid(c, scene));
    problem.observers.push_back(std::move(fluxes));
  }
  for (const physics::FarField& f : c.far_fields) {
    auto far = std::make_unique<observers::FarFields>(
        f, observers::FarSurroundings{scene.materials.front(), images_on_grid(f, scene.setup)}, solver, incident,
        c.output.report_pictures);
    far->driven_by(antenna_spectrum(c, f, dynamic_cast<solver::PortRecords*>(&solver), solver.time_step(), ports, comm));
    problem.observers.push_back(std::move(far));
  }
  if (!c.monitors.empty())
    add_field_monitors(problem,
                       std::make_unique<observers::FieldMonitors>(c.monitors, solver, file_precision(c), comm));
}

void check_ports(const config::Case& c) {
  for (const auto& port : c.ports) {
    if (c.solver.precision == config::Precision::half_precision)
      throw Error(fmt::format("{}: port.{}: ports need solver.precision = single or double", port.origin, port.name));
    if (config::has_bloch_phase(c))
      throw Error(fmt::format("{}: port.{}: there are no ports between sides of type bloch", port.origin, port.name));
  }
}

void add_snapshots(Problem& problem, const grid::PowerSolver& solver, const ProblemRequest& request) {
  const config::Case& c = request.c;
  for (const auto& s : c.snapshots)
    for (const double phase : config::bloch_phases(c))
      if (s.phasor && phase != 0)
        throw Error(
            fmt::format("{}: snapshot.{}: phasor = on: fields between sides of type bloch are complex; use [dft]",
                        s.origin, s.name));
  if (c.snapshots.empty()) return;
  const auto make = [&](const physics::Snapshot& s) { return std::make_unique<observers::GridBoxCells>(s, solver); };
  auto snapshots =
      std::make_unique<observers::BoxSnapshots>(c.snapshots, c.time.frequency.value_or(0), solver.time_step(), make,
                                                request.files, file_precision(c), request.comm);
  if (request.steps == 0) snapshots->check_times(problem.plan.steps);  // else the run is short on purpose
  problem.observers.push_back(std::move(snapshots));
}

// The work of sheets, beams and hard sources is not measured.
bool is_work_measured(const std::vector<config::Source>& sources) {
  return std::all_of(sources.begin(), sources.end(), [](const config::Source& source) {
    return source.type == config::Source::Type::dipole || source.type == config::Source::Type::plane_wave;
  });
}

Problem make(const ProblemRequest& request, std::optional<Variant> variant) {
  const config::Case& c = request.c;
  const parallel::Communicator& comm = request.comm;
  const Backend& backend = request.backend;
  if (variant) check_one_rank(request);
  const auto scene = std::make_shared<GridScene>(make_grid_scene(c, request.timers));
  const parallel::ContextStart context(backend.device);  // until the engine uses it
  const auto stage = request.timers.measure("discretise");
  if (backend.cuda) scene->setup.margin = margin_of(c, variant, scene->setup, comm.size());
  const grid::Setup& setup = scene->setup;
  const char* const hint = c.monitors.empty()
                               ? "fewer cells or single precision"
                               : "fewer cells, smaller monitors with fewer frequencies, or single precision";
  if (!backend.cuda) check_host_memory(bytes_needed(c, variant, setup, comm), comm, hint);
  const auto check_device = [&] {
    if (!backend.cuda) return;
    const auto context_stage = request.timers.measure("discretise/context");
    check_device_memory(bytes_needed(c, variant, setup, comm), backend, comm, hint);
  };
  check_far_fields(c, setup);
  check_ports(c);

  Problem problem;
  problem.domain = scene;
  problem.plan =
      make_time_plan(c, c.solver.cfl_fraction * fdtd::stability_limit(setup), request.steps, request.time_step);
  const double dt = problem.plan.time_step;
  for (const auto& m : c.materials) physics::check_critical_points(m.name, m, dt);
  std::vector<std::string> lines;  // for the user: of media, and how steps are computed
  const auto made = [&](auto number) {
    return make_solver<decltype(number)>(c, variant, setup, *scene->media, dt, backend, comm, request.timers,
                                         check_device, lines);
  };
  using config::Precision;
  const Precision precision = c.solver.precision;
  auto solver = precision == Precision::half_precision     ? made(Half{})
                : precision == Precision::single_precision ? made(float{})
                                                           : made(double{});
  {
    const auto spectra = request.timers.measure("discretise/spectra");
    std::unique_ptr<observers::Ports> ports;
    if (!c.ports.empty()) {
      problem.port_records = &dynamic_cast<solver::PortRecords&>(*solver);
      problem.port_spectra = solver.get();
      ports = std::make_unique<observers::Ports>(c.ports, *problem.port_records, *solver, problem.plan.time_step);
    }
    add_spectra(problem, *solver, *scene, c, ports.get(), comm);
    add_snapshots(problem, *solver, request);
    if (ports) problem.observers.push_back(std::move(ports));
  }
  problem.source_work_is_measured = is_work_measured(c.sources);
  const bool has_sums = !problem.plan.fourier.frequencies.empty();
  if (has_sums && !setup.has_bloch_phase()) {  // complex fields have no powers and SAR
    auto powers = std::make_unique<observers::GridPowers>(*solver, *scene->media, scene->materials,
                                                          fdtd::power_box(setup, c.sources), problem.plan.fourier,
                                                          c.solver.method.has.dimensions, comm);
    problem.observers.push_back(std::make_unique<observers::AbsorbedSpectrum>(*powers, problem.plan.fourier));
    problem.powers = std::move(powers);
    measure_absorbed_powers(problem);
  }
  complete_grid_problem(problem, std::move(solver), *scene, request);
  if (variant) problem.summary.kernels = reproductions::name_of(*variant);
  for (const std::string& line : lines)
    if (!line.empty()) problem.description.push_back(line);
  return problem;
}

}  // namespace

Problem make_fdtd(const ProblemRequest& request) { return make(request, std::nullopt); }
Problem make_cublas_vector(const ProblemRequest& request) { return make(request, Variant::cublas_vector); }
Problem make_cublas_matrix(const ProblemRequest& request) { return make(request, Variant::cublas_matrix); }
Problem make_scalar(const ProblemRequest& request) { return make(request, Variant::scalar); }

}  // namespace dgtd::app
