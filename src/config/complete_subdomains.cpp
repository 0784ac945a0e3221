#include "complete_subdomains.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view without = "runs without solver.subdomains";

void refuse_section(const IniTable& table, std::string_view kind) {
  for (const Section& section : table.sections())
    if (section.name.substr(0, section.name.find('.')) == kind)
      throw Error(fmt::format("{}: section [{}]: belongs to {}", section.origin, section.name, without));
}

}  // namespace

void complete_subdomains(Case& c, const IniTable& table) {
  const bool given = c.solver.subdomains.has_value();
  for (const auto key : {"reflections", "window", "rest"})
    belongs(table, "solver", key, given, "runs with solver.subdomains");
  if (!given) return;
  // What a wave in single precision does not repeat better over many wavelengths.
  if (!table.find("solver", "rest")) c.solver.rest = c.solver.precision == Precision::single_precision ? 1e-4 : 1e-5;
  const Entry& subdomains = *table.find("solver", "subdomains");
  if (c.solver.polarisation != Polarisation::ez)
    reject(subdomains, "subdomains carry Ez and Hy alone: solver.polarisation must be ez");
  if (const Entry* entry = table.find("solver", "reflections");
      entry && c.solver.reflections > 0 && *c.solver.subdomains == 1)
    reject(*entry, "one subdomain has no re-reflections; allowed is 0");
  if (c.solver.window && !c.time.frequency) reject(*table.find("solver", "window"), "requires time.frequency");
  if (c.solver.kernels != Kernels::fused)
    reject(*table.find("solver", "kernels"), fmt::format("belongs to {}", without));

  refuse_section(table, "flux");
  refuse_section(table, "monitor");
  belongs(table, "initial", "type", c.initial.type == Initial::Type::zero, without);
  for (const Source& s : c.sources) belongs(table, "source." + s.name, "type", s.type != Source::Type::hard, without);
  belongs(table, "dft", "frequencies", false, without);
  belongs(table, "dft", "window", c.dft.window == Dft::Window::last_period, without);
  belongs(table, "sar", "normalise", c.sar.normalise == Sar::Normalise::none, without);
  belongs(table, "output", "every", c.output.every == 0, without);
  belongs(table, "output", "monitor", c.output.monitor == 0, without);
  for (const Material& m : c.materials)
    for (const auto key : {"poles", "debye_poles"}) belongs(table, "material." + m.name, key, false, without);
  for (const Boundary& b : c.boundaries)
    if (b.type != Boundary::Type::cpml && b.type != Boundary::Type::pec && b.type != Boundary::Type::pmc)
      reject(*table.find("boundary." + b.name, "type"),
             fmt::format("belongs to {}; with them sides are cpml, pec or pmc", without));
  c.dft.frequencies.clear();
}

}  // namespace dgtd::config
