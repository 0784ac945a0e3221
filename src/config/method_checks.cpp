#include "dgtd/config/method_checks.hpp"

#include <fmt/format.h>

#include "names.hpp"

namespace dgtd::config {
namespace {

std::string check_pec_sides(const Case& c) {
  constexpr std::string_view sides[] = {"xmin", "xmax", "ymin", "ymax"};
  const auto types = side_types(c);
  for (std::size_t s = 0; s < std::size(sides); ++s)
    if (types[s] != Boundary::Type::pec)
      return fmt::format("requires sides of type pec, and {} is {}", sides[s], text_of(boundary_names, types[s]));
  return {};
}

std::string check_one_medium(const Case& c) {
  const auto rejected = [](std::string_view kind, const auto& item) {
    return fmt::format("requires a uniform medium, and [{}.{}] is at {}", kind, item.name, item.origin);
  };
  if (!c.shapes.empty()) return rejected("shape", c.shapes.front());
  if (!c.permittivities.empty()) return rejected("permittivity", c.permittivities.front());
  return {};
}

std::string check_even_spacing(const Case& c) {
  for (int a = 0; a < c.solver.method.has.dimensions; ++a)
    if (c.grid.spacing[a] == 0) return fmt::format("requires even spacing, and that along {} varies", "xyz"[a]);
  return {};
}

}  // namespace

std::string check_debye_poles(const Case& c) {
  for (const Material& m : c.materials)
    if (m.poles.size() > 1 || (m.poles.size() == 1 && m.poles.front().type != Pole::Type::debye))
      return fmt::format("takes one Debye pole per material, and [material.{}] at {} has others", m.name, m.origin);
  return {};
}

std::string check_ez_alone(const Case& c) {
  if (c.solver.polarisation == Polarisation::ez) return {};
  return fmt::format("requires polarisation ez, and this case has {}",
                     text_of(polarisation_names, c.solver.polarisation));
}

std::string check_uniform_plane(const Case& c) {
  for (const auto check : {check_ez_alone, check_pec_sides, check_one_medium, check_even_spacing})
    if (std::string why = check(c); !why.empty()) return why;
  return {};
}

}  // namespace dgtd::config
