#include "app/problems/grid_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/problems/body_traces.hpp"
#include "app/problems/cavity.hpp"
#include "app/problems/grid_bodies.hpp"
#include "app/problems/grid_checks.hpp"
#include "app/problems/initial_fields.hpp"
#include "app/problems/output_selection.hpp"
#include "app/problems/physics_checks.hpp"
#include "app/problems/probe_places.hpp"
#include "app/problems/resolution_checks.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "dgtd/observers/grid_field_writer.hpp"
#include "dgtd/observers/grid_view.hpp"
#include "dgtd/observers/last_fields.hpp"
#include "dgtd/parallel/hash_bytes.hpp"

namespace dgtd::app {

namespace {

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

// Arrays in front of all shapes.
void add_permittivities(const config::Case& c, GridScene& scene) {
  std::vector<grid::PermittivityArray> arrays;
  for (const auto& p : c.permittivities) {
    try {
      arrays.push_back(grid::read_permittivity(p.file, *p.spacing, p.centre));
      check_trace(arrays.back(), scene.setup);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: permittivity.{}: {}", p.origin, p.name, error.what()));
    }
    scene.setup.least_permittivity = std::min(scene.setup.least_permittivity, double(arrays.back().least()));
  }
  if (arrays.empty()) return;
  scene.media = std::make_unique<grid::PermittivityMedia>(std::move(scene.media), std::move(arrays), c.grid.subpixel);
}

// Hash of all files that define what is on the grid and its sources.
std::uint64_t identity_of_files(const config::Case& c, const parallel::Communicator& comm) {
  std::uint64_t hash = 0;
  const auto add = [&](const std::filesystem::path& file, std::uint64_t number) {
    if (file.empty()) return;
    std::string bytes(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    hash += parallel::hash_bytes(bytes.data(), bytes.size(), number);
  };
  if (comm.is_root()) {
    for (std::size_t i = 0; i < c.shapes.size(); ++i) add(c.shapes[i].file, i);
    for (std::size_t i = 0; i < c.sources.size(); ++i) add(c.sources[i].profile, c.shapes.size() + i);
    for (std::size_t i = 0; i < c.permittivities.size(); ++i) {  // large ones
      const std::uint64_t of_file = parallel::hash_file(c.permittivities[i].file);
      hash += parallel::hash_bytes(&of_file, sizeof of_file, c.shapes.size() + c.sources.size() + i);
    }
  }
  return comm.broadcast_value(hash);
}

// m^3; missing axes count a metre.
double smallest_cell(const grid::Setup& setup) {
  double volume = 1;
  for (int a = 0; a < setup.axes; ++a) {
    const auto& spacing = setup.grid.spacing[static_cast<std::size_t>(a)];
    volume *= *std::min_element(spacing.begin(), spacing.end());
  }
  return volume;
}

std::vector<std::string> description(const config::Case& c, const grid::GridSolver& solver, const TimePlan& plan,
                                     const parallel::Communicator& comm) {
  const auto& grid = solver.grid();
  return {
      fmt::format("grid: {} x {} x {} = {} cells on {} rank{}", grid.cells(0), grid.cells(1), grid.cells(2),
                  grid.cells(), comm.size(), comm.size() > 1 ? "s" : ""),
      fmt::format("{} {}: {} unknowns, {:.1f} MB per rank", c.solver.method.name, config::name_of(c.solver.precision),
                  solver.costs().unknowns, comm.max(solver.memory_bytes()) / 1e6),
      fmt::format("time step {}, {}", units::time_text(plan.time_step, 6), text_of(plan, c.time))};
}

}  // namespace

bool GridScene::is_closed() const {
  for (int side = 0; side < 6; ++side)
    if (setup.is_open(side)) return false;
  return true;
}

void check_one_rank(const ProblemRequest& request) {
  if (request.comm.size() > 1)
    throw Error(fmt::format("solver.method = {}: requires 1 rank, and there are {}", request.c.solver.method.name,
                            request.comm.size()));
}

GridScene make_grid_scene(const config::Case& c, Timers& timers) {
  const auto stage = timers.measure("read");
  check_poles(c);
  GridScene scene;
  grid::Setup& setup = scene.setup;
  setup.grid = {c.grid.spacings, c.grid.origin};
  setup.layer_cells = c.grid.pml;
  setup.axes = c.solver.method.has.dimensions;
  if (c.solver.polarisation != config::Polarisation::both) setup.components = setup.axes == 2 ? 3 : 2;
  const auto types = config::side_types(c);
  for (int s = 0; s < 6; ++s)
    setup.sides[s] = types[s] == physics::BoundaryKind::bloch ? physics::BoundaryKind::periodic : types[s];
  const auto sections = config::side_sections(c);
  for (std::size_t s = 0; s < 6; ++s)
    if (types[s] == physics::BoundaryKind::adiabatic)
      setup.adiabatic[s] = {sections[s]->length, sections[s]->order, sections[s]->reflection.value_or(1e-3)};
  scene.materials = materials_of(c);
  setup.materials.assign(scene.materials.begin(), scene.materials.end());
  const auto number_of = [&](const std::string& name) {
    return static_cast<int>(
        std::find_if(scene.materials.begin(), scene.materials.end(), [&](const auto& m) { return m.name == name; }) -
        scene.materials.begin());
  };
  setup.bloch_phase = config::bloch_phases(c);
  {
    const auto shapes = timers.measure("read/shapes");
    std::vector<grid::Shape> bodies;
    for (const auto& shape : c.shapes)
      if (!config::is_operand(c, shape))
        for (auto& body : make_bodies(shape, c, setup, number_of)) bodies.push_back(std::move(body));
    for (const auto& body : bodies) scene.bodies.push_back({body.material, grid::bounds(body)});
    scene.media =
        std::make_unique<grid::SceneMedia>(grid::Scene(std::move(bodies), 0), setup.materials, c.grid.subpixel);
    add_permittivities(c, scene);
  }
  check_grid_sources(c, scene);
  check_places(c, scene);
  return scene;
}

namespace {

// Without other pictures of fields; after a pulse they are rounding errors.
bool shows_last_fields(const config::Case& c, const grid::CartesianGrid& grid, const TimePlan& plan) {
  constexpr std::int64_t most_cells = 10'000'000;  // of the layer, which root gathers
  const auto is_pulse = [](const config::Source& s) {
    return s.waveform.type == physics::Waveform::Type::modulated_gaussian;
  };
  const bool has_sums = !plan.fourier.frequencies.empty();
  const int dimensions = config::dimensions(c.solver.method);
  if (grid.cells(0) * grid.cells(1) > most_cells) return false;
  if (dimensions < 2 || !c.monitors.empty() || config::has_bloch_phase(c)) return false;
  return has_sums ? dimensions == 2 : std::none_of(c.sources.begin(), c.sources.end(), is_pulse);
}

}  // namespace

void complete_grid_problem(Problem& problem, std::unique_ptr<grid::GridSolver> solver, const GridScene& scene,
                           const ProblemRequest& request) {
  const config::Case& c = request.c;
  const parallel::Communicator& comm = request.comm;
  grid::GridSolver& s = *solver;
  problem.description = description(c, s, problem.plan, comm);
  state_probe_places(c, scene.setup.grid, scene.setup.axes, problem);
  problem.resolution = check_grid_resolution(c, scene, problem.plan.time_step);
  check_strengths(c, problem.plan.time_step, smallest_cell(scene.setup));
  if (request.steps == 0) check_length(c, problem.plan);
  problem.summary.on_grid = true;
  problem.summary.sections.push_back(
      {io::Chapter::domain,
       "Grid",
       {io::Entries{{{"Cells", io::count(s.grid().cells())}, {"Unknowns", io::count(s.costs().unknowns)}}}}});
  problem.summary.kernels = kernels_name(c);
  problem.exterior = scene.materials.front();
  problem.elements = s.grid().cells();
  {
    const auto stage = request.timers.measure("discretise/identity");
    problem.identity = identity_of_files(c, comm);
  }
  problem.conserves_energy = scene.is_closed() && c.sources.empty() && c.ports.empty();
  for (const auto& m : c.materials) problem.conserves_energy = problem.conserves_energy && m.is_lossless();
  if (c.initial.type == config::Initial::Type::cavity_mode) {
    problem.exact = exact_solution(grid_cavity(c, s.grid()));
    problem.set_initial_fields = initial_cavity_mode(s, *problem.exact);
  } else if (c.initial.type != config::Initial::Type::zero) {
    problem.set_initial_fields = [&s, fields = initial_fields(c, s.grid())] {
      s.set_fields(fields.electric, fields.magnetic);
    };
  }
  io::CellMaterials materials{{}, scene.media.get()};
  for (const auto& m : scene.materials) materials.names.push_back(m.name);
  problem.writer = std::make_unique<observers::GridFieldWriter>(s, field_selection(c), materials, comm);
  for (int a = 0; a < scene.setup.axes; ++a)
    problem.box[0][a] = s.grid().nodes(a).front(), problem.box[1][a] = s.grid().nodes(a).back();
  {
    std::vector<bool> tissue;
    for (const auto& m : scene.materials) {
      tissue.push_back(m.density.value_or(0) > 0);
      problem.regions.push_back({m.name, &m == &scene.materials.front()});
    }
    problem.view = std::make_unique<observers::GridView>(s, std::move(materials), std::move(tissue), comm);
  }
  if (c.output.report_pictures && shows_last_fields(c, s.grid(), problem.plan))
    problem.observers.push_back(std::make_unique<observers::LastFields>(problem.plan.fourier, *problem.view, s));
  problem.solver = std::move(solver);
}

}  // namespace dgtd::app
