#include "complete_variant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "names.hpp"

namespace dgtd::config {

void complete_variant(Case& c, const IniTable& table) {
  if (c.solver.variant == Variant::native) return;
  const Entry& entry = *table.find("solver", "variant");
  if (c.solver.polarisation != Polarisation::ez)
    reject(entry, fmt::format("requires polarisation ez, and this case has {}",
                              text_of(polarisation_names, c.solver.polarisation)));
  constexpr std::string_view sides[] = {"xmin", "xmax", "ymin", "ymax"};
  const auto types = side_types(c);
  for (std::size_t s = 0; s < std::size(sides); ++s)
    if (types[s] != Boundary::Type::pec)
      reject(entry,
             fmt::format("requires sides of type pec, and {} is {}", sides[s], text_of(boundary_names, types[s])));
  if (!c.shapes.empty())
    reject(entry, fmt::format("requires a uniform medium, and [shape.{}] is at {}", c.shapes.front().name,
                              c.shapes.front().origin));
  for (const Material& m : c.materials)
    if (m.name == c.grid.background && (!m.poles.empty() || m.debye_poles))
      reject(entry, fmt::format("requires a medium without poles, and [material.{}] at {} has some", m.name, m.origin));
  for (int a = 0; a < dimensions(c.solver.method); ++a)
    if (c.grid.spacing[a] == 0) reject(entry, fmt::format("requires even spacing, and that along {} varies", "xyz"[a]));

  const Backend its = c.solver.variant == Variant::scalar ? Backend::cpu : Backend::cuda;
  if (c.solver.backend == Backend::automatic) c.solver.backend = its;
  if (c.solver.backend != its)
    reject(entry, fmt::format("requires solver.backend = {}, and it is {}", text_of(backend_names, its),
                              text_of(backend_names, c.solver.backend)));
}

}  // namespace dgtd::config
