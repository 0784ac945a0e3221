// Checks of the keys of keys_space.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "dgtd/physics/optical_material.hpp"

namespace dgtd::config::check {

namespace {

void check_background(const std::string& name, const Case& c, const Given& given) {
  check_material(c, given.entry, name);
  for (const Material& m : c.materials)
    if (m.name == name && m.perfect_conductor)
      reject(given.entry, fmt::format("material.{} is a perfect conductor; the background must be another", m.name));
}

}  // namespace

void background(Grid& grid, const Case& c, const Given& given) { check_background(grid.background, c, given); }

void domain_background(Domain& domain, const Case& c, const Given& given) {
  check_background(domain.background, c, given);
}

void margin(Domain&, const Case&, const Given& given) {
  for (const char* const key : {"size", "origin"}) check_exclusive(given, key, fmt::format("margin and {}", key));
}

void margin_wavelengths(Domain&, const Case&, const Given& given) {
  for (const char* const key : {"size", "origin", "margin"})
    check_exclusive(given, key, fmt::format("margin_wavelengths and {}", key));
}

void library(Material& m, const Case&, const Given& given) {
  for (const char* const key : {"tissue", "eps_r", "sigma", "poles"})
    check_exclusive(given, key, fmt::format("library and {}", key));
  try {
    const physics::Medium& medium = physics::optical_material(m.library).medium;
    m.permittivity = medium.permittivity;
    m.poles = medium.poles;
  } catch (const Error& error) { reject(given.entry, error.what()); }
}

void table(Material&, const Case&, const Given& given) {
  for (const char* const key : {"tissue", "library", "eps_r", "sigma", "poles"})
    check_exclusive(given, key, fmt::format("table and {}", key));
}

void tissue(Material& m, const Case& c, const Given& given) {
  if (!c.time.frequency && !m.debye_poles)
    reject(given.entry,
           c.solver.method.has.dispersion ? "requires time.frequency or debye_poles" : "requires time.frequency");
  m.permittivity_known = given.other("eps_r");
  m.conductivity_known = given.other("sigma");
}

void debye_poles(Material& m, const Case&, const Given& given) {
  if (m.permittivity_known != m.conductivity_known || (!m.poles.empty() && !m.permittivity_known))
    reject(given.entry, "fits eps_r, sigma and poles to the tissue: give none of them, or all as resolved.cfg does");
}

void shape_material(Shape& s, const Case& c, const Given& given) {
  check_material(c, given.entry, s.material);
  for (const Material& m : c.materials)
    if (s.type == Shape::Type::plate && m.name == s.material && !m.perfect_conductor)
      reject(given.entry, "must have conductor = perfect, since a plate has no thickness");
}

void shape_size(Shape& s, const Case&, const Given& given) {
  if (s.type != Shape::Type::plate) {
    if (zeros_of(s.size) > 0) reject(given.entry, "must be > 0 along all axes; a sheet without thickness is type = plate");
    return;
  }
  check_exclusive(given, "points", "size and points");
  check_exclusive(given, "axis", "size and axis");
  if (zeros_of(s.size) != 1) reject(given.entry, "must be 0 along exactly one axis, that of the plate's normal");
}

namespace {

// Whether a shape is, or is made of, the one of that name.
bool is_made_of(const Case& c, const std::string& whole, const std::string& part, std::size_t depth) {
  if (whole == part || depth > c.shapes.size()) return true;
  for (const Shape& s : c.shapes)
    if (s.name == whole)
      for (const std::string& name : s.operands)
        if (is_made_of(c, name, part, depth + 1)) return true;
  return false;
}

}  // namespace

void operands(Shape& s, const Case& c, const Given& given) {
  if (s.operands.size() < 2) reject(given.entry, "must be the NAMES of two or more shapes");
  for (const std::string& name : s.operands) {
    const auto found = std::find_if(c.shapes.begin(), c.shapes.end(), [&](const Shape& o) { return o.name == name; });
    if (found == c.shapes.end()) {
      std::vector<std::string> names;
      for (const Shape& other : c.shapes)
        if (other.name != s.name) names.push_back(other.name);
      const auto near = nearest_name(name, names);
      reject(given.entry, fmt::format("there is no [shape.{}]; {}", name,
                                      near ? fmt::format("did you mean {}?", *near)
                                           : fmt::format("the other shapes are {}", fmt::join(names, ", "))));
    }
    if (std::count(s.operands.begin(), s.operands.end(), name) > 1) reject(given.entry, fmt::format("has {} twice", name));
    if (is_made_of(c, name, s.name, 0)) reject(given.entry, fmt::format("{} is made of shape.{} itself", name, s.name));
    if (found->type == Shape::Type::labels || found->type == Shape::Type::plate)
      reject(given.entry, fmt::format("shape.{} is no solid: a part has another type than labels and plate", name));
  }
}

void path(Shape& s, const Case&, const Given& given) {
  for (std::size_t i = 0; i + 1 < s.path.size(); ++i) {
    const Vec3 along = s.path[i + 1] - s.path[i];
    if (norm(along) <= s.radius)
      reject(given.entry, fmt::format("places {} and {} are nearer to each other than the radius", i + 1, i + 2));
    if (i == 0) continue;
    const Vec3 before = s.path[i] - s.path[i - 1];
    if (dot(along, before) < -(1 - 1e-6) * norm(along) * norm(before))
      reject(given.entry, fmt::format("turns back at place {}", i + 1));
  }
}

void shape_labels(Shape& s, const Case& c, const Given& given) {
  for (const Shape::Label& label : s.labels) check_material(c, given.entry, label.material);
}

void shape_axis(Shape& s, const Case&, const Given& given) {
  make_unit(s.axis, given.entry);
  const bool flat = s.type == Shape::Type::plate;
  if ((flat || s.type == Shape::Type::prism) && zeros_of(s.axis) != 2)
    reject(given.entry, fmt::format("must be along x, y or z where type = {}", flat ? "plate" : "prism"));
}

void tube_radius(Shape& s, const Case&, const Given& given) {
  if (s.tube_radius >= s.radius)
    reject(given.entry, fmt::format("must be below {}.radius = {}", given.section, s.radius));
}

void rotation(Shape& s, const Case& c, const Given& given) {
  make_unit(s.rotation->axis, given.entry);
  if (s.rotation->axis.x == 0 && s.rotation->axis.y == 0) return;
  if (s.type == Shape::Type::gds) reject(given.entry, "must be about z, 0 0 1 ANGLE, where type = gds");
  if (c.solver.method.has.dimensions < 3)
    reject(given.entry, fmt::format("must be about z, 0 0 1 ANGLE, where method = {}", c.solver.method.name));
}

void reflection(Boundary& b, const Case&, const Given& given) {
  if (!(*b.reflection >= 1e-12 && *b.reflection <= 0.5)) reject(given.entry, "must be a number from 1e-12 to 0.5");
}

void own_layer(Boundary&, const Case&, const Given& given) {
  for (const char* const key : {"layers", "thickness"}) check_exclusive(given, key, fmt::format("group and {}", key));
}

void cpml_loss(Boundary& b, const Case&, const Given& given) {
  if (!(b.loss >= 0.1 && b.loss <= 1)) reject(given.entry, "must be a number from 0.1 to 1");
}

void bloch_k(Boundary&, const Case&, const Given& given) { check_exclusive(given, "phase", "phase and k"); }

}  // namespace dgtd::config::check
