#include "grid_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "body_traces.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/grid/extruded.hpp"
#include "dgtd/grid/labelled_volume.hpp"

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

grid::Shape body_of(const config::Shape& s) {
  switch (s.type) {
    case Type::box: return simple_body(grid::Shape::Type::box, s);
    case Type::sphere: return simple_body(grid::Shape::Type::sphere, s);
    case Type::ellipsoid: return simple_body(grid::Shape::Type::ellipsoid, s);
    case Type::cylinder: return simple_body(grid::Shape::Type::cylinder, s);
    case Type::prism:
      return solid_body(grid::make_prism(s.points, s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2, s.centre, s.height));
    case Type::gds: return solid_body(grid::make_extruded(config::extrusion_of(s)));
    case Type::stl: return solid_body(grid::read_stl(s.file, s.unit, s.position));
    case Type::labels: break;  // several bodies
  }
  return {};
}

// Substrates, wires and guides go on beyond the grid; of other bodies a user expects more than the smaller half inside.
bool goes_on(Type type) {
  return type == Type::box || type == Type::cylinder || type == Type::prism || type == Type::gds;
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

void check_place(const grid::Shape& body, const config::Shape& s, const grid::CartesianGrid& grid) {
  const grid::Bounds bounds = grid::bounds(body);
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
    } else {
      bodies.push_back(body_of(s));
      bodies.back().material = number_of(s.material);
      bodies.back().priority = s.priority;
    }
    check_place(bodies.back(), s, setup.grid);
    check_trace(bodies, c, setup);
    return bodies;
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: shape.{}: {}", s.origin, s.name, error.what()));
  }
}

}  // namespace dgtd::app
