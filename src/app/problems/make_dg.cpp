// The problem of method dgtd.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/problems/cavity.hpp"
#include "app/problems/dg_problem.hpp"
#include "app/problems/element_orders.hpp"
#include "app/problems/mesh_bodies.hpp"
#include "app/problems/mesh_regions.hpp"
#include "app/problems/methods.hpp"
#include "app/problems/output_selection.hpp"
#include "app/problems/physics_checks.hpp"
#include "app/problems/resolution_checks.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/dg/partition_work.hpp"
#include "dgtd/mesh/identity.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/quality.hpp"
#include "dgtd/mesh/two_copies.hpp"
#include "dgtd/observers/absorbed_spectrum.hpp"
#include "dgtd/observers/error_estimate.hpp"
#include "dgtd/observers/mesh_field_writer.hpp"
#include "dgtd/observers/mesh_powers.hpp"
#include "dgtd/observers/mesh_view.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::app {

namespace {

// Voxels for averages over masses; none where the case has no masses.
std::optional<observers::VoxelSampling> voxel_sampling(const config::Case& c, const mesh::Subdomain& mesh,
                                                       const std::vector<config::Material>& materials,
                                                       const parallel::Communicator& comm) {
  if (c.sar.masses.empty()) return {};
  observers::VoxelSampling voxels(mesh, materials, *c.sar.voxel, comm);
  constexpr double bytes_per_voxel = 102;  // at most, of root: values, sums and averages
  const double masses = double(c.sar.masses.size());
  check_host_memory(comm.is_root() ? (bytes_per_voxel + 10 * masses) * voxels.count() : 0, comm, "a larger sar.voxel");
  return voxels;
}

std::vector<std::string> description(const config::Case& c, const mesh::Subdomain& mesh, const DgProblem& made,
                                     const parallel::Communicator& comm) {
  const double elements = static_cast<double>(mesh.elements());
  const auto& plan = made.plan;
  std::string orders = fmt::format("P{}", made.highest_order);
  if (!made.orders.empty()) orders = fmt::format("P{} to {}", made.orders.front().order, orders);
  std::vector<std::string> lines = {
      fmt::format("mesh: {} tetrahedra, {:.0f} to {:.0f} per rank on {} rank{}", mesh.global_elements,
                  comm.min(elements), comm.max(elements), comm.size(), comm.size() > 1 ? "s" : ""),
      fmt::format("{} {}: {} unknowns, {:.1f} MB per rank", orders,
                  c.solver.precision == config::Precision::single_precision ? "single" : "double",
                  made.solver->costs().unknowns, comm.max(made.solver->memory_bytes()) / 1e6),
      fmt::format("time step {} (found in {} iterations), {}", units::time_text(plan.time_step, 6),
                  made.stability_iterations, text_of(plan, c.time))};
  if (!made.orders.empty()) {
    std::vector<std::string> shares;
    for (const OrderFigures& o : made.orders)
      shares.push_back(fmt::format("{:.3g} % P{}", 100.0 * double(o.elements) / double(mesh.global_elements), o.order));
    std::string balance;
    if (comm.size() > 1)
      balance = fmt::format("; the largest work of a rank is {:.3f} times the mean", made.order_imbalance);
    lines.push_back(fmt::format("orders: of the elements {}{}", fmt::join(shares, ", "), balance));
  }
  for (std::string& line : text_of(made.layers)) lines.push_back(std::move(line));
  if (made.pole_bytes > 0)
    lines.push_back(fmt::format("poles: {:.3g} MB per step beside the {:.3g} MB of E, H and the mesh",
                                made.pole_bytes / 1e6, made.solver->costs().compulsory_bytes_per_step / 1e6));
  const auto& levels = made.levels;
  if (!levels.elements.empty()) {
    std::string shares;
    for (std::size_t l = 0; l < levels.elements.size(); ++l)
      shares += fmt::format("{}{:.3g} % take {}", l > 0 ? ", " : "",
                            100.0 * double(levels.elements[l]) / double(mesh.global_elements), 1 << l);
    lines.push_back(
        fmt::format("local time steps: of the elements {} per time step; {:.3g} times fewer updates than with "
                    "global steps (stability bound {:.3f} of 1)",
                    shares, levels.gain, levels.largest_bound));
    if (comm.size() > 1)
      lines.push_back(fmt::format("balance of ranks: on each level the largest work is {:.3f} times the mean",
                                  fmt::join(levels.imbalance, ", ")));
  }
  return lines;
}

// m^3. Collective.
double smallest_element(const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < mesh.elements(); ++e) least = std::min(least, mesh.tetrahedron(e).volume());
  return comm.min(least);
}

// Keys and sections of the mesh.
void add_mesh(io::Summary& s, const mesh::Quality& quality, std::int64_t unknowns) {
  using io::Value;
  s.keys["mesh"] = s.report["mesh"] = Value::Object{{"vertices", quality.vertices},
                                                    {"shortest_edge_m", quality.edge_min},
                                                    {"longest_edge_m", quality.edge_max},
                                                    {"mean_edge_m", quality.edge_mean}};
  s.report["mesh"]["smallest_inradius_m"] = quality.inradius_min;
  s.report["mesh"]["worst_shape"] = quality.shape_min;
  Value::List volumes;
  const units::Unit edge = units::length(quality.edge_mean);
  io::Table table{{{"Volume"},
                   {"Elements"},
                   {fmt::format("Volume [{}\u00b3]", edge.name)},
                   {fmt::format("Cube root of the mean element [{}]", edge.name)}},
                  {}};
  for (const auto& v : quality.volumes) {
    volumes.push_back(Value::Object{{"name", v.name}, {"elements", v.elements}, {"volume_m3", v.volume}});
    table.rows.push_back(
        {{v.name, io::count(v.elements), io::number(v.volume / std::pow(edge.size, 3)),
          v.elements > 0 ? io::number(std::cbrt(v.volume / double(v.elements)) / edge.size) : io::absent}});
  }
  s.report["mesh"]["volumes"] = std::move(volumes);
  s.sections.push_back({io::Chapter::domain,
                        "Mesh",
                        {io::Entries{{{"Elements", io::count(quality.elements)},
                                      {"Vertices", io::count(quality.vertices)},
                                      {"Unknowns", io::count(unknowns)},
                                      {"Shortest edge", units::length_text(quality.edge_min)},
                                      {"Mean edge", units::length_text(quality.edge_mean)},
                                      {"Longest edge", units::length_text(quality.edge_max)},
                                      {"Smallest inradius", units::length_text(quality.inradius_min)},
                                      {"Worst shape (regular: 1)", io::number(quality.shape_min)}}}}});
  s.sections.push_back({io::Chapter::model, "Volumes of the mesh", {table}});
}

// Volume groups: vacuum, what is around all shapes and absorbing layers surround bodies. Without bodies all but the layers are shown on demand.
// Conducting walls are shown where others absorb.
std::vector<observers::Region> regions_of(const config::Case& c, const mesh::Subdomain& mesh,
                                          const std::vector<config::Material>& materials) {
  std::vector<observers::Region> regions;
  bool has_body = false, has_layer = false;
  for (std::size_t g = 0; g < mesh.volume_names.size(); ++g) {
    const bool around_shapes = c.mesh.generator == config::Mesh::Generator::shapes &&
                               mesh.volume_names[g] == c.domain.background;
    const bool surrounds = around_shapes || mesh::is_layer_name(mesh.volume_names[g]) ||
                           static_cast<const physics::Medium&>(materials[g]) == physics::Medium();
    regions.push_back({mesh.volume_names[g], surrounds, !surrounds});
    has_body = has_body || !surrounds;
    has_layer = has_layer || mesh::is_layer_name(mesh.volume_names[g]);
  }
  if (!has_body)
    for (auto& r : regions) r.is_background = mesh::is_layer_name(r.name);
  const auto boundary = config::match_boundaries(c, mesh.surface_names);
  const auto type = [&](std::size_t s) { return c.boundaries[static_cast<std::size_t>(boundary[s])].type; };
  bool is_open = false;
  for (std::size_t s = 0; s < boundary.size(); ++s)
    is_open = is_open || (type(s) != physics::BoundaryKind::pec && type(s) != physics::BoundaryKind::pmc);
  for (std::size_t s = 0; s < boundary.size(); ++s) {
    const bool is_shown = is_open && type(s) == physics::BoundaryKind::pec;
    // Without bodies a view is around what it can show, which walls behind layers would make large.
    regions.push_back({"boundary " + mesh.surface_names[s], !has_body && has_layer && !is_shown, is_shown});
  }
  return regions;
}

// Elements of each order, and of what other run they follow.
void add_orders(io::Summary& s, const std::vector<OrderFigures>& orders,
                const std::optional<AdaptationFigures>& adaptation) {
  using io::Value;
  if (adaptation) {
    const auto& a = *adaptation;
    s.keys["adaptation"] = s.report["adaptation"] = Value::Object{{"from", a.from.string()},
                                                                  {"error_before", a.before},
                                                                  {"error_target", a.target},
                                                                  {"error_expected", a.expected}};
  }
  if (orders.empty()) return;
  Value::List list;
  io::Table table{{{"Order"}, {"Elements"}}, {}};
  for (const OrderFigures& o : orders) {
    list.emplace_back(Value::Object{{"order", o.order}, {"elements", o.elements}});
    table.rows.push_back({{fmt::format("P{}", o.order), io::count(o.elements)}});
  }
  s.keys["orders"] = s.report["orders"] = std::move(list);
  io::Section section{io::Chapter::domain, "Orders of elements", {std::move(table)}};
  if (adaptation)
    section.blocks.push_back(io::Note{
        fmt::format("Chosen from the estimated errors of the run in {}: {:.3g} % of the fields there, {:.3g} % expected "
                    "with these orders.",
                    adaptation->from.string(), 100 * adaptation->before, 100 * adaptation->expected)});
  s.sections.push_back(std::move(section));
}

struct LoadedMesh {
  std::shared_ptr<mesh::Subdomain> mesh;
  std::optional<dg::TimeLevels> levels;  // where the partition needed them
};

LoadedMesh load_mesh(const ProblemRequest& request, ElementOrders& orders) {
  const config::Case& c = request.c;
  LoadedMesh loaded;
  dg::TimeLevels of_ranges;  // of the equal ranges of which the mesh is partitioned
  mesh::WorkEstimate work;
  const bool may_be_curved = c.mesh.curved == mesh::CurvedElements::full;
  if (c.time.local_steps != config::LocalSteps::off || orders.may_differ() || may_be_curved)
    work = [&](const mesh::Subdomain& ranges) {
      const std::vector<int> of_elements = orders.of(ranges, group_materials(c, ranges));
      of_ranges = local_step_levels(c, ranges, request.comm, of_elements);
      mesh::ElementWork estimate = dg::partition_work(ranges, of_ranges, of_elements, c.mesh.curved, request.comm);
      estimate.keeps_pieces = request.backend.cuda && !of_ranges.of_element.empty();
      return estimate;
    };
  std::optional<std::vector<std::uint8_t>> labels;
  const bool of_shapes = c.mesh.generator == config::Mesh::Generator::shapes;
  mesh::MeshSource source = of_shapes ? mesh_of_shapes(c, request.comm, request.timers) : c.mesh;
  source.layers = added_layers(c);
  // An absorbing boundary needs no shape.
  for (const auto& b : c.boundaries)
    (absorbs(b.type) ? source.straight_surfaces : source.shaped_surfaces).push_back(b.name);
  loaded.mesh = std::make_shared<mesh::Subdomain>(
      mesh::load(source, c.solver.partitioner, request.comm, request.timers, work, &labels));
  mesh::Subdomain& mesh = *loaded.mesh;
  if (labels) loaded.levels = dg::levels_on(mesh, std::move(*labels), of_ranges, request.comm);
  // The one volume of a box has the name of the case's only material.
  if (c.mesh.generator == config::Mesh::Generator::box && c.materials.size() == 1 && c.materials.front().name != "*")
    for (std::string& name : mesh.volume_names)
      name = c.materials.front().name + (mesh::is_layer_name(name) ? std::string(mesh::layer_suffix) : "");
  parallel::set_threads(c.solver.threads, request.comm);  // Gmsh changes them
  return loaded;
}

io::Value::List layers_in_summary(const DgProblem& made) {
  io::Value::List list;
  for (const LayerFigures& l : made.layers) {
    io::Value::List groups(l.groups.begin(), l.groups.end());
    list.emplace_back(io::Value::Object{{"surface", l.surface},
                                        {"volume_groups", std::move(groups)},
                                        {"type", l.convolutional ? "cpml" : "passive"},
                                        {"strata", l.strata},
                                        {"thickness_m", l.thickness},
                                        {"wavelengths", l.wavelengths},
                                        {"largest_reflection", io::Value::list_of(l.reflection)},
                                        {"with_elements", io::Value::list_of(l.with_elements)}});
  }
  return list;
}

// Mesh, orders, levels and layers.
void add_summary(Problem& problem, const ProblemRequest& request, const DgProblem& made, const ElementOrders& orders,
                 const mesh::Subdomain& mesh) {
  problem.summary.order = made.highest_order;
  add_orders(problem.summary, made.orders, orders.adaptation());
  problem.summary.kernels = kernels_name(request.c);
  mesh::Quality quality;
  {
    const auto stage = request.timers.measure("quality");
    quality = mesh::measure_quality(mesh, request.comm);
  }
  add_mesh(problem.summary, quality, made.solver->costs().unknowns);
  if (!made.levels.elements.empty()) {
    const std::vector<double> elements(made.levels.elements.begin(), made.levels.elements.end());
    problem.summary.keys["time_levels"] = elements.size() == 1 ? elements.front() : io::Value::list_of(elements);
    problem.summary.keys["local_steps_gain"] = made.levels.gain;
  }
  if (const std::int64_t curved = request.comm.sum(static_cast<std::int64_t>(mesh.curved.size())); curved > 0)
    problem.summary.keys["curved_elements"] = curved;
  if (auto layers = layers_in_summary(made); !layers.empty())
    problem.summary.keys["absorbing_layers"] = std::move(layers);
  if (made.pole_bytes > 0) problem.summary.keys["pole_bytes_per_step"] = made.pole_bytes;
}

// Media, views and powers, and the observers of these. made: its media are moved.
void add_powers(Problem& problem, const ProblemRequest& request, DgProblem& made, solver::ElementSolver& solver,
                const mesh::Subdomain& mesh) {
  const config::Case& c = request.c;
  std::vector<bool> tissue;
  for (const auto& m : made.group_material) tissue.push_back(m.density.value_or(0) > 0);
  problem.regions = regions_of(c, mesh, made.group_material);
  problem.view = std::make_unique<observers::MeshView>(solver, mesh, std::move(tissue), request.comm);
  auto voxels = voxel_sampling(c, mesh, made.group_material, request.comm);
  problem.currents = made.currents;
  const auto& sums = problem.plan.fourier;
  problem.powers =
      std::make_unique<observers::MeshPowers>(solver, mesh, std::move(made.group_material), sums.frequencies,
                                              made.highest_order, std::move(voxels), request.comm, made.phases);
  if (!sums.frequencies.empty())
    problem.observers.push_back(std::make_unique<observers::AbsorbedSpectrum>(*problem.powers, sums));
  if (c.output.error)
    problem.closing_observers.push_back(
        std::make_unique<observers::ErrorEstimate>(*made.errors, mesh, problem.identity, sums));
}

}  // namespace

Problem make_dg(const ProblemRequest& request) {
  const parallel::Communicator& comm = request.comm;
  const config::Case& c = request.c;
  check_poles(c);
  ElementOrders orders(c, request.adapt, comm);
  const auto [mesh, levels] = load_mesh(request, orders);
  const std::vector<int> of_elements = orders.of(*mesh, group_materials(c, *mesh));
  DgProblem made = make_dg_problem(c, *mesh, request.backend, comm,
                                   {request.steps, 0, request.time_step, levels, of_elements}, request.timers);
  solver::ElementSolver& solver = *made.solver;
  auto resolution = check_mesh_resolution(c, *mesh, made.group_material, of_elements, made.plan.time_step, comm);
  check_strengths(c, made.plan.time_step, smallest_element(*mesh, comm));
  if (request.steps == 0) check_length(c, made.plan);

  Problem problem;
  using Mesh = std::shared_ptr<const mesh::Subdomain>;
  problem.domain = std::make_shared<std::pair<Mesh, Mesh>>(mesh, made.two_copies);
  problem.resolution = std::move(resolution);
  problem.plan = made.plan;
  problem.description = description(c, *mesh, made, comm);
  add_summary(problem, request, made, orders, *mesh);
  problem.exterior = made.exterior;
  problem.elements = mesh->global_elements;
  const mesh::Bounds bounds = mesh::bounds_of(*mesh, comm);
  problem.box = {bounds.low, bounds.high};
  problem.identity = mesh::identity(*mesh, comm);
  problem.conserves_energy = made.closed && c.sources.empty() && c.ports.empty() &&
                             std::all_of(made.group_material.begin(), made.group_material.end(),
                                         [](const auto& m) { return m.is_lossless(); });
  problem.unsteady_hint = ", or the mesh is coarse (a higher solver.order)";
  if (c.initial.type == config::Initial::Type::cavity_mode) {
    problem.exact = exact_solution(mesh_cavity(c, made.group_material, *mesh, comm));
    problem.set_initial_fields = initial_cavity_mode(solver, *problem.exact);
  }
  problem.writer =
      std::make_unique<observers::MeshFieldWriter>(solver, *mesh, made.highest_order, field_selection(c), comm);
  {
    const auto stage = request.timers.measure("monitors");
    add_mesh_regions(problem, request, *mesh, made);
  }
  problem.solver = std::move(made.solver);
  add_powers(problem, request, made, solver, *mesh);
  measure_absorbed_powers(problem);
  return problem;
}

}  // namespace dgtd::app
