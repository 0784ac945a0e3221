#include "complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checks.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

void complete_mesh(Case& c, const IniTable& table) {
  if (c.mesh.generator == Mesh::Generator::box) return complete_box(c);
  if (!c.mesh.file.empty()) return;
  if (c.mesh.generator == Mesh::Generator::none)
    throw Error(fmt::format("{}: mesh.file is required (or mesh.generator = box | head-phone)", table.file()));
  c.mesh.file = (c.file.parent_path() / "../meshes/generated" / fmt::format("head_phone_{}.msh", c.mesh.level))
                    .lexically_normal();
}

void check_time(const Case& c, const IniTable& table) {
  constexpr std::string_view all = "time.end, time.periods and time.steps";
  const Entry* first = nullptr;
  for (const auto key : {"end", "periods", "steps"}) {
    const Entry* entry = table.find("time", key);
    if (first && entry)
      reject(*entry, fmt::format("only one of {} may be given, and {} is at {}", all, first->name(), first->origin));
    if (entry) first = entry;
  }
  if (!first) throw Error(fmt::format("{}: one of {} is required", table.file(), all));
  if (c.time.periods && !c.time.frequency) reject(*first, "requires time.frequency");
}

void complete_shapes(Case& c, const IniTable& table) {
  for (Shape& s : c.shapes) {
    if ((s.type == Shape::Type::cylinder || s.type == Shape::Type::prism) && s.height == 0) s.height = beyond;
    if (s.type == Shape::Type::labels && !table.find("shape." + s.name, "unit")) s.unit = 1e-3;
  }
}

// The bands of tissues with debye_poles.
void complete_fits(Case& c, const IniTable& table) {
  const auto in_use = band_in_use(c);
  for (Material& m : c.materials) {
    if (!m.debye_poles || m.fit_band) continue;
    const std::string section = "material." + m.name;
    if (!in_use || !(in_use->lowest < in_use->highest))
      reject(*table.find(section, "debye_poles"),
             fmt::format("requires {}.fit_band where sources and monitors have one frequency at most", section));
    m.fit_band = in_use;
  }
}

}  // namespace

void complete(Case& c, const IniTable& table) {
  check_time(c, table);
  if (c.solver.method.has.tetrahedra) {
    complete_mesh(c, table);
  } else {
    complete_grid(c, table);
    complete_shapes(c, table);
  }
  for (Source& s : c.sources)
    if (!table.find("source." + s.name, "frequency")) s.waveform.frequency = *c.time.frequency;
  if (c.dft.frequencies.empty() && c.time.frequency) c.dft.frequencies = {*c.time.frequency};
  flatten_to_axes(c);
  complete_variant(c, table);
  complete_fits(c, table);
  complete_subdomains(c, table);
  c.tissue_fits = physics::resolve_tissues(c.materials, c.time.frequency);
}

}  // namespace dgtd::config
