// Checks of the keys of keys_space.cpp.
#include <fmt/format.h>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
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

void shape_material(Shape& s, const Case& c, const Given& given) { check_material(c, given.entry, s.material); }

void shape_labels(Shape& s, const Case& c, const Given& given) {
  for (const Shape::Label& label : s.labels) check_material(c, given.entry, label.material);
}

void shape_axis(Shape& s, const Case&, const Given& given) {
  make_unit(s.axis, given.entry);
  if (s.type == Shape::Type::prism && zeros_of(s.axis) != 2)
    reject(given.entry, "must be along x, y or z where type = prism");
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
