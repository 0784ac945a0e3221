#include "app/problems/mesh_bodies.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/problems/resolution_checks.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "dgtd/grid/shapes.hpp"
#include "dgtd/grid/solid.hpp"
#include "dgtd/mesh/body_sizes.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::app {
namespace {

using mesh::Body;
using Type = config::Shape::Type;

const config::Material& material_named(const config::Case& c, const std::string& name) {
  return *std::find_if(c.materials.begin(), c.materials.end(), [&](const auto& m) { return m.name == name; });
}

// m; 0 of a perfect conductor.
double element_in(const config::Case& c, const config::Material& m, double frequency) {
  if (m.perfect_conductor) return 0;
  return std::max(c.mesh.finest, physics::length_of_variation(m, frequency) / c.mesh.per_wavelength);
}

// model: with the sizes of elements that it asks for.
Body body_of_shape(const config::Case& c, const config::Shape& s, const mesh::BodyModel& model) {
  Body body;
  body.name = s.name;
  body.centre = s.centre;
  body.axis = s.axis;
  body.radius = s.radius;
  body.height = s.height;
  body.top_radius = s.top_radius;
  body.tube_radius = s.tube_radius;
  if (s.type != Type::gds) body.turn = s.rotation;
  if (const auto parts = config::parts_of(c, s)) {
    body.form = Body::Form::combined;
    body.combination = parts->combination;
    for (const config::Shape& part : parts->shapes) body.operands.push_back(body_of_shape(c, part, model));
    return body;
  }
  switch (s.type) {
    case Type::box: body.size = s.size; return body;
    case Type::sphere: body.form = Body::Form::ellipsoid, body.size = {s.radius, s.radius, s.radius}; return body;
    case Type::ellipsoid: body.form = Body::Form::ellipsoid, body.size = s.radii; return body;
    case Type::cylinder: body.form = Body::Form::cylinder; return body;
    case Type::cone: body.form = Body::Form::cone; return body;
    case Type::torus: body.form = Body::Form::torus; return body;
    case Type::prism:
      body.form = Body::Form::prism;
      body.points = s.points;
      // For its checks of the polygon.
      grid::make_prism(s.points, s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2, s.centre, s.height);
      return body;
    case Type::gds:
      body.form = Body::Form::layout;
      body.layout = config::extrusion_of(s);
      return body;
    case Type::step:
      body.form = Body::Form::step;
      body.centre = s.position;
      body.step =
          mesh::read_step_part(s.file, s.body, model.ratio - 1, mesh::BodySizes::per_circle(model, Body::Form::step));
      return body;
    case Type::plate:  // add_plate
    case Type::wire:
    case Type::unite:
    case Type::difference:
    case Type::intersection:
    case Type::stl:
    case Type::labels: break;
  }
  throw Error(fmt::format("type = {} is not possible on tetrahedra; box, sphere, ellipsoid, cylinder, cone, torus, prism, gds, step, plate, wire, union, difference and intersection are",
                          s.type == Type::stl ? "stl" : "labels"));
}

// A plate between elements, with two of them across a strip at least.
void add_plate(const config::Shape& s, mesh::BodyModel& model) {
  mesh::Plate plate;
  plate.name = s.name;
  plate.group = s.material;
  plate.centre = s.centre;
  plate.axis = s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2;
  plate.points = s.points;
  plate.turn = s.rotation;
  grid::make_prism(s.points, plate.axis, s.centre, 1);  // for its checks of the polygon
  plate.element = std::max(model.finest, 0.5 * mesh::width(plate));
  const config::Reach reach = config::reach_of(s);
  for (int a = 0; a < 3; ++a) {
    const double from = s.centre[a] - reach.low[a], to = s.centre[a] + reach.high[a],
                 rounding = 1e-6 * (model.high[a] - model.low[a]);
    const bool normal = a == plate.axis && !plate.turn;
    if (to <= model.low[a] - (normal ? rounding : 0) || from >= model.high[a] + (normal ? rounding : 0))
      throw Error(fmt::format("lies outside the domain, whose {} goes from {:g} to {:g} m", "xyz"[a], model.low[a],
                              model.high[a]));
    if (normal && (from < model.low[a] + rounding || to > model.high[a] - rounding))
      throw Error(fmt::format("lies on a side of the domain, whose {} goes from {:g} to {:g} m: [boundary.{}{}] type = "
                              "pec is a wall there",
                              "xyz"[a], model.low[a], model.high[a], "xyz"[a], from < model.low[a] + rounding ? "min" : "max"));
  }
  model.plates.push_back(std::move(plate));
}

// The corners of a box around it, m; of one that is combined, around all of its operands.
std::pair<Vec3, Vec3> ends_of(const config::Case& c, const config::Shape& shape, const Body& body) {
  if (const auto parts = config::parts_of(c, shape)) {
    auto all = ends_of(c, parts->shapes.front(), body.operands.front());
    for (std::size_t k = 1; k < parts->shapes.size(); ++k) {
      const auto [low, high] = ends_of(c, parts->shapes[k], body.operands[k]);
      for (int a = 0; a < 3; ++a)
        all.first[a] = std::min(all.first[a], low[a]), all.second[a] = std::max(all.second[a], high[a]);
    }
    return all;
  }
  if (shape.type != Type::step) {
    const config::Reach reach = config::reach_of(shape);
    return {shape.centre - reach.low, shape.centre + reach.high};
  }
  const geometry::Rotation rotation = body.turn ? geometry::Rotation(*body.turn) : geometry::Rotation();
  const Vec3 middle = body.centre + rotation(0.5 * (body.step.low + body.step.high)),
             half = rotation.box_around(0.5 * (body.step.high - body.step.low));
  return {middle - half, middle + half};
}

void check_inside(const config::Case& c, const config::Shape& shape, const Body& body, const mesh::BodyModel& model) {
  const auto [from, to] = ends_of(c, shape, body);
  for (int a = 0; a < 3; ++a) {
    const double low = from[a], high = to[a];
    if (low >= model.high[a] || high <= model.low[a])
      throw Error(fmt::format("lies outside the domain, whose {} goes from {:g} to {:g} m", "xyz"[a], model.low[a],
                              model.high[a]));
  }
  const Vec3 middle = 0.5 * (model.low + model.high);
  if (const double radius = 0.5 * (model.high.x - model.low.x); model.ball && mesh::distance(body, middle) >= radius)
    throw Error(fmt::format("lies outside the domain, a sphere of radius {:g} m", radius));
}

// A larger mesh.finest is the user's own choice of flat elements.
void check_thickness(const Body& body, const mesh::BodyModel& model) {
  const mesh::Thinness thin = mesh::thinness_of(body, model);
  if (thin.aspect() <= mesh::Thinness::largest_aspect || model.finest >= thin.element) return;
  throw Error(fmt::format("is {} thick and {:.0f} times as wide (at most {:.0f} times are meshed): a conductor without "
                          "thickness is type = plate; else a thicker body is needed, or mesh.finest = {:.2g}, for "
                          "elements as flat as that",
                          units::length_text(thin.thickness, 3), thin.aspect() * mesh::Thinness::elements_across,
                          mesh::Thinness::largest_aspect * mesh::Thinness::elements_across, thin.element));
}

// A dipole's current is a bump between it and the nearest body, of elements that resolve it and the field around.
mesh::BodyModel::Finer around_dipole(const config::Source& source, const mesh::BodyModel& model, double finest) {
  constexpr double share_of_element = 0.4, elements_to_body = 6, elements_around = 2;
  double size = share_of_element * model.element;
  for (const Body& body : model.bodies) {
    const double away = std::abs(mesh::distance(body, source.position));
    if (away > 1e-9 * norm(model.high - model.low)) size = std::min(size, away / elements_to_body);
  }
  size = std::max(size, finest);
  const double edge = 2 * elements_around * size;
  return {source.position, {edge, edge, edge}, size};
}

// Name of the section that has such a box in place of the dipole, which a run without the dipole has too.
std::string name_of_refinement(const config::Source& dipole) { return "around_" + dipole.name; }
bool has_refinement(const config::Case& c, const std::string& name) {
  return std::any_of(c.refinements.begin(), c.refinements.end(), [&](const auto& r) { return r.name == name; });
}

// The rectangle of a port, with two elements across at least. What is no rectangle is refused with the mesh.
void add_sheet(const config::Port& port, double finest, mesh::BodyModel& model) {
  double least = std::numeric_limits<double>::infinity();
  int zeros = 0;
  for (int a = 0; a < 3; ++a) {
    zeros += port.size[a] == 0;
    if (port.size[a] > 0) least = std::min(least, port.size[a]);
  }
  if (zeros != 1) return;
  const auto is_same = [&](const auto& sheet) { return sheet.centre == port.centre && sheet.size == port.size; };
  if (std::any_of(model.sheets.begin(), model.sheets.end(), is_same)) return;  // another mode of the same plane
  model.sheets.push_back({port.centre, port.size});
  model.finer.push_back({port.centre, port.size, std::max(finest, 0.5 * least)});
}

std::vector<std::pair<std::string, double>> slowness_of(const config::Case& c) {
  std::vector<std::pair<std::string, double>> list;
  for (const auto& m : c.materials) list.emplace_back(m.name, std::sqrt(m.permittivity * m.permeability));
  return list;
}

// By group, the finest one first.
std::string text_of_sizes(const mesh::BodyModel& model) {
  std::vector<std::pair<double, std::string>> sizes{{model.element, model.around}};
  for (const Body& body : model.bodies)
    if (!body.hole) sizes.emplace_back(body.element, body.group);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::string text;
  for (const auto& [size, group] : sizes)
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", units::length_text(size, 3), group);
  return text;
}

// Throws Error where that is too much, with the material that asks for most.
void check_number(const config::Case& c, const mesh::BodyModel& model, double number) {
  constexpr double most = 1e8;
  if (number <= most) return;
  throw Error(fmt::format("{}: mesh: elements of {} make about {:.0e} tetrahedra ({:.0e} are allowed): a larger "
                          "mesh.finest or a smaller mesh.per_wavelength is needed, or conductor = perfect",
                          c.file.string(), text_of_sizes(model), number, most));
}

}  // namespace

mesh::BodyModel body_model(const config::Case& c) {
  const double frequency = c.mesh.highest_frequency.value_or(frequency_of_interest(c));
  if (frequency == 0)
    throw Error(
        fmt::format("{}: mesh.generator = shapes: element sizes need a frequency: that of a source, of a "
                    "monitor or mesh.highest_frequency",
                    c.file.string()));
  mesh::BodyModel model;
  model.low = *c.domain.origin;
  model.high = model.low + *c.domain.size;
  model.ball = c.domain.form == config::Domain::Form::sphere;
  model.around = c.domain.background;
  model.element = element_in(c, material_named(c, model.around), frequency);
  model.finest = c.mesh.finest;
  model.ratio = c.mesh.ratio;
  model.per_circle = double(c.mesh.per_circle);
  model.edge_refinement = double(c.mesh.edge_refinement);
  model.curved = c.mesh.curved != mesh::CurvedElements::off;
  model.exact_volumes = model.curved ? mesh::ExactVolumes::off : c.mesh.exact_volumes;
  model.periodic = c.mesh.periodic;
  std::vector<const config::Shape*> order;
  for (const auto& s : c.shapes)
    if (!config::is_operand(c, s)) order.push_back(&s);
  std::stable_sort(order.begin(), order.end(),
                   [](const config::Shape* a, const config::Shape* b) { return a->priority < b->priority; });
  for (const config::Shape* s : order) {
    try {
      if (s->type == Type::plate) {
        add_plate(*s, model);
        continue;
      }
      Body body = body_of_shape(c, *s, model);
      const config::Material& material = material_named(c, s->material);
      body.group = s->material;
      body.hole = material.perfect_conductor;
      body.element = element_in(c, material, frequency);
      check_inside(c, *s, body, model);
      check_thickness(body, model);
      model.bodies.push_back(std::move(body));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: shape.{}: {}", s->origin, s->name, error.what()));
    }
  }
  for (const auto& r : c.refinements)
    model.finer.push_back({r.centre, r.size, std::min({r.spacing.x, r.spacing.y, r.spacing.z})});
  for (const auto& port : c.ports) add_sheet(port, c.mesh.finest, model);
  for (const auto& source : c.sources)
    if (source.type == config::Source::Type::dipole && !has_refinement(c, name_of_refinement(source)))
      model.finer.push_back(around_dipole(source, model, c.mesh.finest));
  return model;
}

std::vector<config::Refinement> refinements_around_dipoles(const config::Case& c, const parallel::Communicator& comm) {
  std::vector<const config::Source*> dipoles;
  for (const auto& source : c.sources)
    if (source.type == config::Source::Type::dipole && !has_refinement(c, name_of_refinement(source)))
      dipoles.push_back(&source);
  std::vector<mesh::BodyModel::Finer> around(dipoles.size());
  if (dipoles.empty()) return {};
  parallel::root_or_throw(comm, [&] {
    const mesh::BodyModel model = body_model(c);
    for (std::size_t i = 0; i < around.size(); ++i) around[i] = around_dipole(*dipoles[i], model, c.mesh.finest);
  });
  std::vector<config::Refinement> list;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto finer = comm.broadcast_value(around[i]);
    const Vec3 spacing{finer.element, finer.element, finer.element};
    list.push_back({name_of_refinement(*dipoles[i]), finer.centre, finer.size, spacing, dipoles[i]->origin});
  }
  return list;
}

namespace {

// Folder of meshes of shapes: in the user's cache, or among temporary files where that cannot be written and one
// host has all ranks.
std::filesystem::path folder_of_meshes(bool one_host) {
  const std::filesystem::path cache = mesh::user_meshes();
  std::error_code failure;
  std::filesystem::create_directories(cache, failure);
  if (!failure && access(cache.c_str(), W_OK) == 0) return cache;
  if (!one_host)
    throw Error(ExitCode::other,
                fmt::format("mesh: {} cannot be written; XDG_CACHE_HOME names a folder that all hosts see", cache.string()));
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("dgtd-{}", getuid());
  std::filesystem::create_directories(folder, failure);
  if (failure || access(folder.c_str(), W_OK) != 0)
    throw Error(ExitCode::other,
                fmt::format("mesh: neither {} nor {} can be written; XDG_CACHE_HOME names a folder that can",
                            cache.string(), folder.string()));
  return folder;
}

}  // namespace

config::Mesh mesh_of_shapes(const config::Case& c, const parallel::Communicator& comm, Timers& timers) {
  const auto reading = timers.measure("read"), generation = timers.measure("read/generate");
  config::Mesh source = c.mesh;
  const bool one_host = comm.is_on_one_host();
  parallel::root_or_throw(comm, [&] {
    const mesh::BodyModel model = body_model(c);
    const double number = mesh::BodySizes(model, mesh::expected_edges_of_solids(model)).tetrahedra();
    check_number(c, model, number);
    log::info("mesh of shapes: elements of at most {}, about {:.2g} tetrahedra", text_of_sizes(model), number);
    const auto made = mesher::mesh_of_bodies(model, slowness_of(c), folder_of_meshes(one_host));
    source.file = made.file;
    if (made.made)
      log::info("mesh of shapes: {} tetrahedra, worst shape {:.2f}; the optimiser left {} of {} bad elements and "
                "multiplied the time step by {:.2f}; kept as {}",
                made.elements, made.worst_shape, made.bad_after, made.bad_before, made.gain, made.file.string());
    else log::info("mesh of shapes: taken from {}", made.file.string());
    if (made.curved.surfaces > 0)
      log::info("mesh of shapes: moved {} vertices on {} curved surfaces that something cuts: their volumes are exact",
                made.curved.vertices, made.curved.surfaces);
    if (made.curved_edges > 0)
      log::info(
          "mesh of shapes: {} edges are curved, with at least {:g} elements along a circle; {} more stay straight, since "
          "an element would have been bent too much",
          made.curved_edges, made.per_circle, made.straight_edges);
    for (const std::string& body : made.curved.left)
      log::warn("mesh of shapes: shape {} has the volume of its polyhedron: elements beside it are too flat to move its "
                   "vertices outward; smaller elements (mesh.per_wavelength, [refine.NAME]) help",
                   body);
  });
  source.file = comm.broadcast(comm.is_root() ? source.file.string() : "");
  if (source.cache == config::Mesh::Cache::user) source.cache = config::Mesh::Cache::beside;
  return source;
}

}  // namespace dgtd::app
