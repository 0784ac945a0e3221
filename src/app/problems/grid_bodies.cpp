#include "app/problems/grid_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/problems/body_traces.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "dgtd/grid/combined.hpp"
#include "dgtd/grid/extruded.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "dgtd/grid/turned.hpp"
#include "dgtd/mesh/step_file.hpp"

namespace dgtd::app {
namespace {

using Type = config::Shape::Type;

grid::Shape simple_body(grid::Shape::Type type, const config::Shape& s) {
  grid::Shape body;
  body.type = type;
  body.centre = s.centre;
  body.size = s.size;
  body.radius = s.radius;
  body.radii = s.radii;
  body.axis = s.axis;
  body.height = s.height;
  return body;
}

grid::Shape solid_body(std::shared_ptr<const grid::Solid> solid) {
  grid::Shape body;
  body.type = grid::Shape::Type::solid;
  body.solid = std::move(solid);
  return body;
}

using Numbers = std::function<int(const std::string&)>;

// One body a material of a labelled volume.
std::vector<grid::Shape> labelled_bodies(const config::Shape& s, const Numbers& number_of) {
  std::vector<std::pair<int, int>> materials;
  for (const auto& l : s.labels) materials.emplace_back(l.number, number_of(l.material));
  auto voxels = grid::read_voxels(s.file, s.unit, s.position);
  try {
    return grid::shapes_of(std::make_shared<grid::LabelledVolume>(std::move(voxels), materials), s.priority);
  } catch (const Error& error) { throw Error(error.code(), fmt::format("{}: {}", s.file.string(), error.what())); }
}

// One body a solid.
std::vector<grid::Shape> step_bodies(const config::Shape& s) {
  const geometry::Rotation rotation = s.rotation ? geometry::Rotation(*s.rotation) : geometry::Rotation();
  std::vector<grid::Shape> bodies;
  for (auto& solid : mesh::read_step(s.file, s.body)) {
    for (Vec3& p : solid.points) p = s.position + rotation(p);
    bodies.push_back(solid_body(grid::make_triangulated(std::move(solid.points), std::move(solid.triangles))));
  }
  return bodies;
}

int axis_of_prism(const config::Shape& s) { return s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2; }

// A box, an ellipsoid or a prism.
grid::Shape turned_body(const config::Shape& s) {
  if (s.type == Type::box) return solid_body(grid::make_turned_box(s.centre, s.size, *s.rotation));
  if (s.type == Type::ellipsoid) return solid_body(grid::make_turned_ellipsoid(s.centre, s.radii, *s.rotation));
  return solid_body(grid::make_turned_prism(s.points, axis_of_prism(s), s.centre, s.height, *s.rotation));
}

grid::Shape simple_body_of(const config::Shape& s) {
  if (s.rotation && s.type != Type::gds && s.type != Type::stl && s.type != Type::step) return turned_body(s);
  switch (s.type) {
    case Type::box: return simple_body(grid::Shape::Type::box, s);
    case Type::sphere: return simple_body(grid::Shape::Type::sphere, s);
    case Type::ellipsoid: return simple_body(grid::Shape::Type::ellipsoid, s);
    case Type::cylinder: return simple_body(grid::Shape::Type::cylinder, s);
    case Type::prism:
      return solid_body(grid::make_prism(s.points, axis_of_prism(s), s.centre, s.height));
    case Type::cone: return solid_body(grid::make_cone({s.radius, s.top_radius, s.height}, s.centre, s.axis));
    case Type::torus: return solid_body(grid::make_torus({s.radius, s.tube_radius}, s.centre, s.axis));
    case Type::gds: return solid_body(grid::make_extruded(config::extrusion_of(s)));
    case Type::stl:
      return solid_body(grid::read_stl(s.file, s.unit, s.position,
                                       s.rotation ? geometry::Rotation(*s.rotation) : geometry::Rotation()));
    case Type::plate:  // plate_body
    case Type::step:
    case Type::wire:
    case Type::unite:
    case Type::difference:
    case Type::intersection:
    case Type::labels: break;  // bodies_of
  }
  return {};
}

// The bodies of one material that a shape is, without it: several of a STEP file or a wire.
std::vector<grid::Shape> bodies_of(const config::Case& c, const config::Shape& s) {
  if (s.type == Type::step) return step_bodies(s);
  const auto parts = config::parts_of(c, s);
  if (!parts) return {simple_body_of(s)};
  std::vector<std::vector<grid::Shape>> operands;
  for (const config::Shape& part : parts->shapes) operands.push_back(bodies_of(c, part));
  if (s.type != Type::wire) return {solid_body(grid::combine(parts->combination, std::move(operands)))};
  std::vector<grid::Shape> pieces;
  for (const auto& piece : operands) pieces.push_back(piece.front());
  return pieces;
}

// An oblique plate is as thick as two cells, so that it has no holes.
grid::Shape oblique_plate(const config::Shape& s, const grid::CartesianGrid& grid) {
  const config::Reach reach = config::reach_of(s);
  double cell = 0;
  for (int a = 0; a < 3; ++a) {
    const auto x = grid.nodes(a);
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
      if (x[i + 1] >= s.centre[a] - reach.low[a] && x[i] <= s.centre[a] + reach.high[a]) cell = std::max(cell, x[i + 1] - x[i]);
  }
  const double thickness = 2 * cell;
  log::warn("{}: shape.{}: is oblique to the grid: it is drawn {} thick, two of its cells", s.origin, s.name,
            units::length_text(thickness, 3));
  grid::Shape body = solid_body(grid::make_turned_prism(s.points, axis_of_prism(s), s.centre, thickness, *s.rotation));
  body.priority = std::numeric_limits<int>::max();
  return body;
}

// A plate is the edges in its plane, which is the grid's nearest one: a prism around it, so thin that no other component
// is in it, and thick enough for places beside its rim that count as on it (grid::SceneMedia). It is in front of all else.
grid::Shape plate_body(const config::Shape& s, const grid::CartesianGrid& grid) {
  if (s.rotation) return oblique_plate(s, grid);
  constexpr double half_thickness = 2e-6, rounding = 1e-6;  // cells
  const int axis = axis_of_prism(s);
  const auto x = grid.nodes(axis);
  const auto above = std::lower_bound(x.begin(), x.end(), s.centre[axis]);
  if (above == x.end() || (above == x.begin() && *above > s.centre[axis]))
    throw Error(fmt::format("lies outside the grid, whose {} goes from {} to {} m", "xyz"[axis], x.front(), x.back()));
  const bool lower = above != x.begin() && s.centre[axis] - *(above - 1) < *above - s.centre[axis];
  Vec3 centre = s.centre;
  centre[axis] = lower ? *(above - 1) : *above;
  const double cell = grid.spacing[axis][static_cast<std::size_t>(grid.cell_at(axis, centre[axis]))],
               away = std::abs(centre[axis] - s.centre[axis]);
  if (away > rounding * cell)
    log::warn("{}: shape.{}: there are no nodes of the grid in its plane: it is drawn at {} = {:.6g} m, {} away",
              s.origin, s.name, "xyz"[axis], centre[axis], units::length_text(away, 3));
  grid::Shape body = solid_body(grid::make_prism(s.points, axis, centre, 2 * half_thickness * cell));
  body.priority = std::numeric_limits<int>::max();
  return body;
}

// Substrates, wires and guides go on beyond the grid; of other bodies a user expects more than the smaller half inside.
bool goes_on(Type type) {
  return type == Type::box || type == Type::cylinder || type == Type::prism || type == Type::gds ||
         type == Type::plate || type == Type::wire || type == Type::unite || type == Type::difference ||
         type == Type::intersection;
}

// A file whose unit is not the case's.
void check_unit(const grid::Bounds& bounds, const config::Shape& s, const grid::CartesianGrid& grid) {
  double largest = 0;
  for (int a = 0; a < 3; ++a) {
    const double length = bounds.high[a] - bounds.low[a];
    if (length >= grid.spacing[a][static_cast<std::size_t>(grid.cell_at(a, bounds.low[a]))]) return;
    largest = std::max(largest, length);
  }
  log::warn("{}: shape.{}: its largest extent is {}, less than a cell; check shape.{}.unit = {} m", s.origin, s.name,
            units::length_text(largest, 3), s.name, s.unit);
}

grid::Bounds bounds_of(const std::vector<grid::Shape>& bodies) {
  grid::Bounds all = grid::bounds(bodies.front());
  for (const grid::Shape& body : bodies)
    for (int a = 0; a < 3; ++a) {
      all.low[a] = std::min(all.low[a], grid::bounds(body).low[a]);
      all.high[a] = std::max(all.high[a], grid::bounds(body).high[a]);
    }
  return all;
}

void check_place(const grid::Bounds& bounds, const config::Shape& s, const grid::CartesianGrid& grid) {
  for (int a = 0; a < 3; ++a) {
    const auto x = grid.nodes(a);
    if (bounds.low[a] > x.back() || bounds.high[a] < x.front())
      throw Error(fmt::format("lies outside the grid, whose {} goes from {} to {} m", "xyz"[a], x.front(), x.back()));
    const double middle = 0.5 * (bounds.low[a] + bounds.high[a]), slack = 1e-6 * grid.spacing[a].front();
    if (!goes_on(s.type) && (middle < x.front() - slack || middle > x.back() + slack))
      log::warn(
          "{}: shape.{}: more than half of it is outside of the grid: its middle is at {} = {:.6g} m, and the "
          "grid goes from {:.6g} to {:.6g} m",
          s.origin, s.name, "xyz"[a], middle, x.front(), x.back());
  }
  if (s.type == Type::stl || s.type == Type::labels) check_unit(bounds, s, grid);
}

}  // namespace

std::vector<grid::Shape> make_bodies(const config::Shape& s, const config::Case& c, const grid::Setup& setup,
                                     const Numbers& number_of) {
  try {
    std::vector<grid::Shape> bodies;
    if (s.type == Type::labels) {
      bodies = labelled_bodies(s, number_of);
    } else if (s.type == Type::plate) {
      bodies.push_back(plate_body(s, setup.grid));
      bodies.back().material = number_of(s.material);
    } else {
      bodies = bodies_of(c, s);
      for (grid::Shape& body : bodies) body.material = number_of(s.material), body.priority = s.priority;
    }
    check_place(s.type == Type::labels ? grid::bounds(bodies.back()) : bounds_of(bodies), s, setup.grid);
    check_trace(bodies, c, setup);
    return bodies;
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: shape.{}: {}", s.origin, s.name, error.what()));
  }
}

}  // namespace dgtd::app
