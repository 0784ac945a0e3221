// What solver.variant and solver.subdomains require of the rest of the case, and the defaults that depend on them.
#include <fmt/format.h>

#include "checks.hpp"
#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "names.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view without = "belongs to runs without solver.subdomains";

// The key's value is allowed where the condition holds.
void allow(const IniTable& table, const std::string& section, std::string_view key, bool condition) {
  if (const Entry* entry = table.find(section, key); entry && !condition) reject(*entry, std::string(without));
}

}  // namespace

std::string_view name_of(Precision p) { return text_of(precision_names, p); }

std::string_view name_of(Variant v) { return text_of(variant_names, v); }

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
  for (int a = 0; a < c.solver.method.has.dimensions; ++a)
    if (c.grid.spacing[a] == 0) reject(entry, fmt::format("requires even spacing, and that along {} varies", "xyz"[a]));

  const Backend its = c.solver.variant == Variant::scalar ? Backend::cpu : Backend::cuda;
  if (c.solver.backend == Backend::automatic) c.solver.backend = its;
  if (c.solver.backend != its)
    reject(entry, fmt::format("requires solver.backend = {}, and it is {}", text_of(backend_names, its),
                              text_of(backend_names, c.solver.backend)));
}

void complete_subdomains(Case& c, const IniTable& table) {
  if (!c.solver.subdomains) return;
  // What a wave in single precision does not repeat better over many wavelengths.
  if (!table.find("solver", "steady_tolerance"))
    c.solver.steady_tolerance = c.solver.precision == Precision::single_precision ? 1e-4 : 1e-5;
  if (c.solver.polarisation != Polarisation::ez)
    reject(*table.find("solver", "subdomains"), "subdomains carry Ez and Hy alone: solver.polarisation must be ez");
  for (const Title& title : table.sections())
    if (kind_of(title.name) == "flux" || kind_of(title.name) == "monitor")
      throw Error(fmt::format("{}: section [{}]: {}", title.origin, title.name, without));
  allow(table, "initial", "type", c.initial.type == Initial::Type::zero);
  for (const Source& s : c.sources) allow(table, "source." + s.name, "type", s.type != Source::Type::hard);
  allow(table, "dft", "window", c.dft.window == Dft::Window::last_period);
  allow(table, "sar", "normalise", c.sar.normalise == Sar::Normalise::none);
  allow(table, "output", "every", c.output.every == 0);
  allow(table, "output", "energy_interval", c.output.energy_interval == 0);
  for (const Boundary& b : c.boundaries)
    if (b.type != Boundary::Type::cpml && b.type != Boundary::Type::pec && b.type != Boundary::Type::pmc)
      reject(*table.find("boundary." + b.name, "type"),
             fmt::format("{}; with them sides are cpml, pec or pmc", without));
  c.dft.frequencies.clear();
}

}  // namespace dgtd::config
