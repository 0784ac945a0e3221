#include "methods.hpp"

#include <fmt/format.h>

#include <string_view>

#include "dgtd/base/error.hpp"
#include "names.hpp"
#include "schema.hpp"

namespace dgtd::config {
namespace {

// What one method has and the others have not. A section is a kind or a full title. An empty key
// stands for the whole section, an empty value for every value.
struct Owned {
  Method method;
  std::string_view section, key, value, message;
};
constexpr Owned owned[] = {
    {Method::fdtd3d, "grid", "", "", "is of method fdtd3d; dgtd takes [mesh]"},
    {Method::fdtd3d, "shape", "", "", "is of method fdtd3d; dgtd takes the volume groups of [mesh]"},
    {Method::fdtd3d, "refine", "", "", "is of method fdtd3d; dgtd takes the elements of [mesh]"},
    {Method::fdtd3d, "flux", "", "", "is of method fdtd3d; dgtd has none"},
    {Method::fdtd3d, "far", "", "", "is of method fdtd3d; dgtd has none"},
    {Method::fdtd3d, "material", "poles", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Method::fdtd3d, "material", "debye_poles", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Method::fdtd3d, "material", "fit_band", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Method::fdtd3d, "material", "sigma_m", "", "method dgtd has no magnetic loss, fdtd3d has"},
    {Method::fdtd3d, "material", "conductor", "", "method dgtd has no perfectly conducting volumes; give their surface type = pec"},
    {Method::fdtd3d, "boundary", "type", "cpml", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Method::fdtd3d, "boundary", "type", "mur", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Method::fdtd3d, "boundary", "type", "periodic", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Method::fdtd3d, "boundary", "type", "bloch", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Method::fdtd3d, "source", "box_min", "", "method dgtd has no total-field box, fdtd3d has"},
    {Method::fdtd3d, "source", "box_max", "", "method dgtd has no total-field box, fdtd3d has"},
    {Method::fdtd3d, "source", "type", "sheet", "is of method fdtd3d; dgtd has dipole and plane-wave"},
    {Method::fdtd3d, "source", "type", "gaussian-beam", "is of method fdtd3d; dgtd has dipole and plane-wave"},
    {Method::fdtd3d, "source", "length", "", "method dgtd has no line dipoles, fdtd3d has"},
    {Method::dgtd, "mesh", "", "", "is of method dgtd; fdtd3d takes [grid]"},
    {Method::dgtd, "material.*", "", "", "is of method dgtd; fdtd3d takes grid.background"},
    {Method::dgtd, "solver", "order", "", "is of method dgtd; fdtd3d has no order"},
    {Method::dgtd, "boundary", "type", "silver-muller", "is of method dgtd; fdtd3d has cpml, mur, pec, pmc, periodic and bloch"},
};

bool is_of(std::string_view section, const Owned& o) { return section == o.section || kind_of(section) == o.section; }

}  // namespace

void check_method(const IniTable& table) {
  Method method = Solver().method;
  if (const Entry* entry = table.find("solver", "method"))
    if (!choice(method, method_names).set(entry->value)) return;   // its rule will say so
  for (const Owned& o : owned) {
    if (o.method == method) continue;
    for (const Section& section : table.sections())
      if (o.key.empty() && is_of(section.name, o))
        throw Error(fmt::format("{}: section [{}]: {}", section.origin, section.name, o.message));
    for (const Entry& entry : table.entries())
      if (entry.key == o.key && is_of(entry.section, o) && (o.value.empty() || o.value == entry.value))
        throw Error(fmt::format("{}: {}", entry.place(), o.message));
  }
}

}  // namespace dgtd::config
