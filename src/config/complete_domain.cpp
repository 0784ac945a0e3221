// The domain of a case with shapes, and what a mesh of shapes needs besides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "check_table.hpp"
#include "complete.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "dgtd/mesh/body_sizes.hpp"

namespace dgtd::config {
namespace {

constexpr const char* name_of_vacuum = "vacuum";

struct Extent {
  Vec3 low, high;  // m
};

Extent extent_of(const Case& c) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extent all{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Shape& s : c.shapes) {
    if (is_operand(c, s)) continue;
    const Reach reach = reach_of(s);
    for (int a = 0; a < 3; ++a) {
      all.low[a] = std::min(all.low[a], s.centre[a] - reach.low[a]);
      all.high[a] = std::max(all.high[a], s.centre[a] + reach.high[a]);
    }
  }
  return all;
}

// m, of the wave in the background that the margin is counted in.
double wavelength_of(const Case& c, const IniTable& table) {
  constexpr double lowest_share = 0.3;  // as for the thickness of layers
  const auto band = band_in_use(c);
  if (!band)
    reject(*table.find("domain", "margin_wavelengths"),
           "requires a frequency: that of a source, of a monitor or time.frequency");
  const double frequency = std::max(band->lowest, lowest_share * band->highest);
  double index = 1;
  for (const Material& m : c.materials)
    if (m.name == c.domain.background)
      index = std::sqrt(physics::permittivity(m, 2 * pi * frequency) * m.permeability).real();
  return speed_of_light / frequency / index;
}

void complete_boundaries(Case& c) {
  const auto has = [&](std::string_view name) {
    return std::any_of(c.boundaries.begin(), c.boundaries.end(), [&](const Boundary& b) { return b.name == name; });
  };
  const auto add = [&](const std::string& name, Boundary::Type type) {
    if (has(name)) return;
    Boundary& b = c.boundaries.emplace_back();
    b.name = name;
    b.type = type;
    b.origin = std::string("default of mesh.generator = shapes");
  };
  const bool sides_named =
      c.domain.form == Domain::Form::sphere
          ? has("outer")
          : has("xmin") && has("xmax") && has("ymin") && has("ymax") && has("zmin") && has("zmax");
  for (const Shape& s : c.shapes)
    for (const Material& m : c.materials)
      if (m.name == s.material && m.perfect_conductor) add(m.name, Boundary::Type::pec);
  if (!sides_named) add("*", Boundary::Type::cpml);
}

}  // namespace

void choose_generator(Case& c, const IniTable& table) {
  if (c.solver.method.has.tetrahedra && c.mesh.generator == Mesh::Generator::none && c.mesh.file.empty() &&
      (has_domain(table) || !c.shapes.empty()))
    c.mesh.generator = Mesh::Generator::shapes;
  if (c.mesh.generator == Mesh::Generator::shapes && table.find("mesh", "curved") == nullptr)
    c.mesh.curved = mesh::CurvedElements::off;
}

void complete_domain(Case& c, const IniTable& table) {
  Domain& d = c.domain;
  if (!d.size && !d.margin && !d.margin_wavelengths)
    throw Error(fmt::format("{}: domain.size is required (1 or 3 numbers > 0, m; or domain.margin, m, or "
                            "domain.margin_wavelengths around all shapes)",
                            table.file()));
  const bool ball = d.form == Domain::Form::sphere;
  if (d.size) {
    if (ball && (d.size->x != d.size->y || d.size->x != d.size->z))
      reject(*table.find("domain", "size"), "must be one number, the diameter, where shape = sphere");
    if (!d.origin) d.origin = -0.5 * *d.size;
    return;
  }
  if (c.shapes.empty())
    throw Error(fmt::format("{}: domain.size is required: there are no shapes that a margin could be around",
                            table.file()));
  const auto [low, high] = extent_of(c);
  const double margin = d.margin ? *d.margin : *d.margin_wavelengths * wavelength_of(c, table);
  d.margin.reset();
  d.margin_wavelengths.reset();
  if (!ball) {
    d.origin = low - Vec3{margin, margin, margin};
    d.size = high - low + 2 * Vec3{margin, margin, margin};
    return;
  }
  const Vec3 middle = 0.5 * (low + high);
  double radius = 0;
  for (const Shape& s : c.shapes)
    if (!is_operand(c, s)) radius = std::max(radius, norm(s.centre - middle) + reach_of(s).any);
  radius += margin;
  d.origin = middle - Vec3{radius, radius, radius};
  d.size = Vec3{2 * radius, 2 * radius, 2 * radius};
}

void complete_shapes_mesh(Case& c) {
  constexpr std::array<double, 6> usual{10, 4, 2.5, 2, 1.7, 1.5};  // [order - 1]
  if (c.mesh.per_wavelength == 0)
    c.mesh.per_wavelength = usual.at(static_cast<std::size_t>(c.solver.order_of_mesh() - 1));
  if (c.mesh.per_circle == 0)
    c.mesh.per_circle = static_cast<std::int64_t>(c.mesh.curved == mesh::CurvedElements::off
                                                      ? mesh::BodySizes::per_straight_circle
                                                      : mesh::BodySizes::per_curved_circle);
  if (c.domain.background.empty()) {
    if (std::none_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.name == name_of_vacuum; })) {
      Material& vacuum = c.materials.emplace_back();
      vacuum.name = name_of_vacuum;
      vacuum.origin = std::string("default of domain.background");
    }
    c.domain.background = name_of_vacuum;
  }
  complete_boundaries(c);
}

}  // namespace dgtd::config
