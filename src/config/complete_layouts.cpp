// Polygons of layouts, which the case has once it is complete.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/geometry/layout.hpp"

namespace dgtd::config {
namespace {

// Turns the ring about 0, and moves it.
void place_ring(geometry::Ring& ring, const geometry::Rotation& rotation, const Vec3& by) {
  for (auto& [x, y] : ring) {
    const Vec3 turned = rotation({x, y, 0});
    x = turned.x + by.x, y = turned.y + by.y;
  }
}

Vec3 middle_of(const geometry::Extrusion& body) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, body.low}, high{-infinity, -infinity, body.high};
  for (const auto* const polygons : {&body.bottom, &body.top})
    for (const auto& polygon : *polygons)
      for (const auto& [x, y] : polygon.outer) {
        low.x = std::min(low.x, x), high.x = std::max(high.x, x);
        low.y = std::min(low.y, y), high.y = std::max(high.y, y);
      }
  return 0.5 * (low + high);
}

void read_polygons(Shape& s) {
  const auto layout = geometry::read_gdsii(s.file);
  try {
    s.polygons = geometry::layer_polygons(layout, s.cell, s.layer);
  } catch (const Error& error) { throw Error(error.code(), fmt::format("{}: {}", s.file.string(), error.what())); }
  if (s.position.x == 0 && s.position.y == 0 && !s.rotation) return;
  const geometry::Rotation rotation = s.rotation ? geometry::Rotation(*s.rotation) : geometry::Rotation();
  for (auto& polygon : s.polygons) {
    place_ring(polygon.outer, rotation, s.position);
    for (auto& hole : polygon.holes) place_ring(hole, rotation, s.position);
  }
}

}  // namespace

void complete_layouts(Case& c) {
  for (Shape& s : c.shapes) {
    if (s.type != Shape::Type::gds) continue;
    if (c.solver.method.has.dimensions < 3) s.z = {-beyond / 2, beyond / 2};
    try {
      read_polygons(s);
      s.centre = middle_of(extrusion_of(s));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: shape.{}: {}", s.origin, s.name, error.what()));
    }
  }
}

}  // namespace dgtd::config
