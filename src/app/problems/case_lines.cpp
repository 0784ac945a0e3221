#include "app/problems/case_lines.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/config/shape_parts.hpp"
#include "dgtd/grid/cartesian_grid.hpp"

namespace dgtd::app {

namespace {

using io::Scene;
using Segments = std::vector<std::array<Scene::Point, 2>>;

constexpr Scene::Colour source_colour{214, 69, 65}, probe_colour{230, 145, 20}, flux_colour{40, 130, 200},
    monitor_colour{60, 160, 90}, far_colour{150, 90, 190}, domain_colour{128, 128, 128}, wire_colour{150, 90, 40},
    layer_colour{150, 150, 110};

Scene::Point point(const Vec3& x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
}

Segments box(const Vec3& low, const Vec3& high) {
  Segments edges;
  for (const auto& edge : io::box_edges({low.x, low.y, low.z}, {high.x, high.y, high.z}))
    if (edge[0] != edge[1]) edges.push_back(edge);
  return edges;
}

using Box = std::array<Vec3, 2>;  // low, high

// The part of a box that is in the domain, which may be smaller: a size of 1 m stands for everything.
Segments box_inside(const Box& domain, Vec3 low, Vec3 high) {
  for (int a = 0; a < 3; ++a) {
    low[a] = std::clamp(low[a], domain[0][a], domain[1][a]);
    high[a] = std::clamp(high[a], domain[0][a], domain[1][a]);
  }
  return box(low, high);
}

// A shaft with a tip of four lines, along a direction of unit length.
Segments arrow(const Vec3& from, const Vec3& direction, double length) {
  Segments lines{{point(from), point(from + length * direction)}};
  const Vec3 aside = std::abs(direction.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  Vec3 u = cross(direction, aside);
  u = (1 / norm(u)) * u;
  const Vec3 v = cross(direction, u);
  for (const Vec3& side : {u, v})
    for (const double sign : {-1.0, 1.0})
      lines.push_back(
          {point(from + length * direction), point(from + 0.75 * length * direction + sign * 0.1 * length * side)});
  return lines;
}

Segments star(const Vec3& at, double length) {
  Segments lines;
  for (int a = 0; a < 3; ++a) {
    Vec3 low = at, high = at;
    low[a] -= 0.5 * length, high[a] += 0.5 * length;
    lines.push_back({point(low), point(high)});
  }
  return lines;
}

// Without the name of a section that has none.
std::string titled(const char* kind, const std::string& name) {
  return name.empty() ? kind : std::string(kind) + " " + name;
}

bool is_given(const Vec3& v) { return norm(v) > 0; }

// length: of arrows, m.
Segments segments_of(const config::Source& s, const Box& around, const Box& domain, double length) {
  using Type = config::Source::Type;
  Segments lines;
  const auto add = [&](const Segments& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  switch (s.type) {
    case Type::dipole: {
      const double own = std::max(s.length, 0.5 * length);
      add(arrow(s.position - 0.5 * own * s.direction, s.direction, own));
      break;
    }
    case Type::hard:
      if (is_given(s.direction)) add(arrow(s.position, s.direction, 0.5 * length));
      else add(star(s.position, 0.3 * length));
      break;
    case Type::plane_wave: {
      Box to = around;
      if (s.box_min && s.box_max) to = {*s.box_min, *s.box_max}, add(box(to[0], to[1]));
      double back = 1e300;  // from the middle to where the wave enters the box
      for (int a = 0; a < 3; ++a)
        if (std::abs(s.direction[a]) > 1e-9)
          back = std::min(back, 0.5 * (to[1][a] - to[0][a]) / std::abs(s.direction[a]));
      const Vec3 from = 0.5 * (to[0] + to[1]) - (back + 0.5 * length) * s.direction;
      add(arrow(from, s.direction, length));
      add(arrow(from, s.polarisation, 0.5 * length));
      break;
    }
    case Type::sheet:
      add(box_inside(domain, s.centre - 0.5 * s.size, s.centre + 0.5 * s.size));
      if (is_given(s.direction)) add(arrow(s.centre, s.direction, length));
      break;
    case Type::gaussian_beam:
      add(arrow(s.focus - 1.5 * length * s.direction, s.direction, 1.5 * length));
      add(star(s.focus, 0.3 * length));
      break;
  }
  return lines;
}

void add_grid_lines(const config::Case& c, std::vector<Scene::Lines>& lines) {
  const grid::CartesianGrid grid{c.grid.spacings, c.grid.origin};
  Vec3 low, high, inner_low, inner_high;
  const auto types = config::side_types(c);
  const auto sections = config::side_sections(c);
  bool has_layer = false;
  for (int a = 0; a < 3; ++a) {
    const auto nodes = grid.nodes(a);
    low[a] = inner_low[a] = nodes.front(), high[a] = inner_high[a] = nodes.back();
    for (int side = 0; side < 2; ++side) {
      const auto s = static_cast<std::size_t>(2 * a + side);
      double at = side == 0 ? low[a] : high[a];
      if (types[s] == physics::BoundaryKind::cpml) {
        const auto n = std::min<std::size_t>(static_cast<std::size_t>(c.grid.pml), nodes.size() - 1);
        at = side == 0 ? nodes[n] : nodes[nodes.size() - 1 - n];
      } else if (types[s] == physics::BoundaryKind::adiabatic && sections[s] != nullptr) {
        at += (side == 0 ? 1 : -1) * sections[s]->length;
      } else {
        continue;
      }
      has_layer = true;
      (side == 0 ? inner_low : inner_high)[a] = at;
    }
  }
  lines.push_back({"grid", domain_colour, box(low, high)});
  // Wires and plates thinner than a cell have no cells to be seen.
  Segments wires, plates;
  const auto smallest = [&](int a) {
    const auto& spacings = c.grid.spacings[static_cast<std::size_t>(a)];
    return *std::min_element(spacings.begin(), spacings.end());
  };
  std::vector<config::Shape> bodies;
  for (const auto& s : c.shapes)
    if (!config::is_operand(c, s))
      for (auto& part : s.type == config::Shape::Type::wire ? config::simple_parts(c, s) : std::vector{s}) bodies.push_back(part);
  for (const auto& s : bodies) {
    if (s.type == config::Shape::Type::cylinder && 2 * s.radius < smallest(s.axis.x == 0 ? 0 : 1)) {
      const Vec3 half = 0.5 * s.height * s.axis;
      wires.push_back({point(s.centre - half), point(s.centre + half)});
    }
    const auto thin = [&](int a) { return grid.cells(a) > 1 && s.size[a] < smallest(a); };
    if (s.type == config::Shape::Type::box && (thin(0) || thin(1) || thin(2)))
      for (const auto& edge : box_inside({low, high}, s.centre - 0.5 * s.size, s.centre + 0.5 * s.size))
        plates.push_back(edge);
  }
  if (!plates.empty()) lines.push_back({"thin plates", wire_colour, plates});
  if (!wires.empty()) lines.push_back({"thin wires", wire_colour, wires});
  if (has_layer) lines.push_back({"absorbing layers", layer_colour, box(inner_low, inner_high), false});
}

// The rims of plates, which have no volume to be seen.
Segments rims_of_plates(const config::Case& c) {
  Segments lines;
  for (const auto& s : c.shapes) {
    if (s.type != config::Shape::Type::plate) continue;
    const int axis = s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2;
    const auto corner = [&](std::size_t i) {
      Vec3 x;
      x[(axis + 1) % 3] = s.points[i % s.points.size()][0], x[(axis + 2) % 3] = s.points[i % s.points.size()][1];
      return point(s.centre + (s.rotation ? geometry::Rotation(*s.rotation)(x) : x));
    };
    for (std::size_t i = 0; i < s.points.size(); ++i) lines.push_back({corner(i), corner(i + 1)});
  }
  return lines;
}

// Its edge or box, with an arrow along E of a positive voltage; nothing of a port that is a group of faces.
Segments segments_of_port(const config::Port& p, const Box& domain, double length) {
  if (!p.faces.empty()) return {};  // places of the mesh, not of the case
  Segments lines = box_inside(domain, p.centre - 0.5 * p.size, p.centre + 0.5 * p.size);
  const Segments direction = arrow(p.centre, p.direction, 0.5 * length);
  lines.insert(lines.end(), direction.begin(), direction.end());
  return lines;
}

}  // namespace

std::vector<Scene::Lines> lines_of(const config::Case& c, const Box& domain, const Box& around) {
  std::vector<Scene::Lines> lines;
  if (!c.grid.spacings[0].empty()) add_grid_lines(c, lines);
  if (const Segments rims = rims_of_plates(c); !rims.empty()) lines.push_back({"plates", wire_colour, rims});
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, around[1][a] - around[0][a]);
  const double length = 0.15 * longest;
  for (const auto& s : c.sources)
    lines.push_back({titled("source", s.name), source_colour, segments_of(s, around, domain, length)});
  for (const auto& p : c.ports)
    lines.push_back({titled("port", p.name), source_colour, segments_of_port(p, domain, length)});
  for (const auto& p : c.probes)
    lines.push_back({titled("probe", p.name), probe_colour, star(p.position, 0.2 * length)});
  const auto add_box = [&](const char* kind, const Scene::Colour& colour, const auto& region, const Vec3& size) {
    lines.push_back({titled(kind, region.name), colour,
                     box_inside(domain, region.centre - 0.5 * size, region.centre + 0.5 * size)});
  };
  for (const auto& f : c.fluxes) add_box("flux", flux_colour, f, f.size);
  for (const auto& m : c.monitors) add_box("monitor", monitor_colour, m, m.size);
  for (const auto& s : c.snapshots)
    if (s.size) add_box("snapshot", monitor_colour, s, *s.size);
  for (const auto& f : c.far_fields) add_box("far field", far_colour, f, f.size);
  return lines;
}

}  // namespace dgtd::app
