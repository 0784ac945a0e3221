#include "dgtd/app/grid_bodies.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/labelled_volume.hpp"

namespace dgtd::app {
namespace {

using Type = config::Shape::Type;

mesh::Body simple_body(mesh::Body::Type type, const config::Shape& s) {
  mesh::Body body;
  body.type = type;
  body.centre = s.centre;
  body.size = s.size;
  body.radius = s.radius;
  body.radii = s.radii;
  body.axis = s.axis;
  body.height = s.height;
  return body;
}

mesh::Body solid_body(std::shared_ptr<const mesh::Solid> solid) {
  mesh::Body body;
  body.type = mesh::Body::Type::solid;
  body.solid = std::move(solid);
  return body;
}

using Numbers = std::function<int(const std::string&)>;

// One body a material of a labelled volume.
std::vector<mesh::Body> labelled_bodies(const config::Shape& s, const Numbers& number_of) {
  std::vector<std::pair<int, int>> materials;
  for (const auto& l : s.labels) materials.emplace_back(l.number, number_of(l.material));
  auto voxels = mesh::read_voxels(s.file, s.unit, s.position);
  try {
    return mesh::bodies_of(std::make_shared<mesh::LabelledVolume>(std::move(voxels), materials), s.priority);
  } catch (const Error& error) { throw Error(error.code(), fmt::format("{}: {}", s.file.string(), error.what())); }
}

mesh::Body body_of(const config::Shape& s) {
  switch (s.type) {
    case Type::box: return simple_body(mesh::Body::Type::box, s);
    case Type::sphere: return simple_body(mesh::Body::Type::sphere, s);
    case Type::ellipsoid: return simple_body(mesh::Body::Type::ellipsoid, s);
    case Type::cylinder: return simple_body(mesh::Body::Type::cylinder, s);
    case Type::prism:
      return solid_body(mesh::make_prism(s.points, s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2, s.centre, s.height));
    case Type::stl: return solid_body(mesh::read_stl(s.file, s.unit, s.position));
    case Type::labels: break;  // several bodies
  }
  return {};
}

// Substrates, wires and guides go on beyond the grid; of other bodies a user expects more than the smaller half inside.
bool goes_on(Type type) { return type == Type::box || type == Type::cylinder || type == Type::prism; }

void check_place(const mesh::Body& body, const config::Shape& s, const mesh::Grid& grid) {
  const mesh::Bounds bounds = mesh::bounds(body);
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
}

}  // namespace

std::vector<mesh::Body> make_bodies(const std::vector<config::Shape>& shapes, const mesh::Grid& grid,
                                    const Numbers& number_of) {
  std::vector<mesh::Body> bodies;
  for (const auto& s : shapes) {
    try {
      if (s.type == Type::labels) {
        for (auto& body : labelled_bodies(s, number_of)) bodies.push_back(std::move(body));
      } else {
        bodies.push_back(body_of(s));
        bodies.back().material = number_of(s.material);
        bodies.back().priority = s.priority;
      }
      check_place(bodies.back(), s, grid);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: shape.{}: {}", s.origin, s.name, error.what()));
    }
  }
  return bodies;
}

}  // namespace dgtd::app
