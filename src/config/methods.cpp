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
// {} in a message stands for the case's method.
enum class Family { elements, grids };
struct Owned {
  Family family;
  std::string_view section, key, value, message;
};
constexpr Owned owned[] = {
    {Family::grids, "grid", "", "", "is of method fdtd3d; dgtd takes [mesh]"},
    {Family::grids, "shape", "", "", "is of method fdtd3d; dgtd takes the volume groups of [mesh]"},
    {Family::grids, "refine", "", "", "is of method fdtd3d; dgtd takes the elements of [mesh]"},
    {Family::grids, "flux", "", "", "is of method fdtd3d; dgtd has none"},
    {Family::grids, "monitor", "", "", "is of method fdtd3d; dgtd has [dft]"},
    {Family::grids, "far", "", "", "is of method fdtd3d; dgtd has none"},
    {Family::grids, "material", "poles", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Family::grids, "material", "debye_poles", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Family::grids, "material", "fit_band", "", "method dgtd has no dispersive materials, fdtd3d has"},
    {Family::grids, "material", "sigma_m", "", "method dgtd has no magnetic loss, fdtd3d has"},
    {Family::grids, "material", "conductor", "",
     "method dgtd has no perfectly conducting volumes; give their surface type = pec"},
    {Family::grids, "boundary", "type", "cpml", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Family::grids, "boundary", "type", "mur", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Family::grids, "boundary", "type", "periodic", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Family::grids, "boundary", "type", "bloch", "is of method fdtd3d; dgtd has silver-muller, pec and pmc"},
    {Family::grids, "source", "box_min", "", "method dgtd has no total-field box, fdtd3d has"},
    {Family::grids, "source", "box_max", "", "method dgtd has no total-field box, fdtd3d has"},
    {Family::grids, "source", "type", "sheet", "is of method fdtd3d; dgtd has dipole and plane-wave"},
    {Family::grids, "source", "type", "gaussian-beam", "is of method fdtd3d; dgtd has dipole and plane-wave"},
    {Family::grids, "source", "type", "hard", "is of method fdtd3d; dgtd has dipole and plane-wave"},
    {Family::grids, "initial", "type", "formula", "is of method fdtd3d; dgtd has zero and cavity-mode"},
    {Family::grids, "initial", "type", "file", "is of methods fdtd2d and fdtd1d; dgtd has zero and cavity-mode"},
    {Family::grids, "source", "length", "", "method dgtd has no line dipoles, fdtd3d has"},
    {Family::elements, "mesh", "", "", "is of method dgtd; {} takes [grid]"},
    {Family::elements, "material.*", "", "", "is of method dgtd; {} takes grid.background"},
    {Family::elements, "solver", "order", "", "is of method dgtd; {} has no order"},
    {Family::elements, "boundary", "type", "silver-muller",
     "is of method dgtd; {} has cpml, mur, pec, pmc, periodic and bloch"},
};

// What the methods of Yee's scheme have and potentials have not.
struct Of {
  std::string_view section, key, value, message;
};
constexpr Of not_of_potentials[] = {
    {"flux", "", "", "is of the fdtd methods; {} has none"},
    {"monitor", "", "", "is of the fdtd methods; {} has [dft]"},
    {"far", "", "", "is of method fdtd3d; {} has none"},
    {"refine", "", "", "is of the fdtd methods; {} has equal cells"},
    {"sar", "", "", "is of the other methods; {} measures no powers"},
    {"material", "poles", "", "is of the fdtd methods; {} has eps_r and sigma"},
    {"material", "debye_poles", "", "is of the fdtd methods; {} has eps_r and sigma"},
    {"material", "sigma_m", "", "is of the fdtd methods; {} has eps_r and sigma"},
    {"boundary", "type", "cpml", "is of the fdtd methods; {} has mur, pec, pmc and periodic"},
    {"boundary", "type", "bloch", "is of the fdtd methods; {} has mur, pec, pmc and periodic"},
    {"source", "type", "plane-wave", "is of the other methods; {} has dipole and sheet"},
    {"source", "type", "gaussian-beam", "is of method fdtd3d; {} has dipole and sheet"},
    {"source", "type", "hard", "is of the fdtd methods; {} has dipole and sheet"},
    {"initial", "type", "cavity-mode", "is of the other methods; {} has zero"},
    {"initial", "type", "formula", "is of the fdtd methods; {} has zero"},
    {"initial", "type", "file", "is of methods fdtd2d and fdtd1d; {} has zero"},
    {"solver", "polarisation", "", "is of methods fdtd2d and fdtd1d; {} has potential"},
    {"solver", "variant", "", "is of method fdtd2d; {} has its own kernels only"},
    {"grid", "pml", "", "is of the fdtd methods; {} has no absorbing layers"},
};
constexpr Of of_potentials[] = {
    {"solver", "stencil", "", "is of method hpf2d; {} has none"},
    {"solver", "potential", "", "is of method hpf2d; {} has none"},
    {"solver", "block_timesteps", "", "is of method hpf2d; {} has none"},
    {"solver", "block_size", "", "is of method hpf2d; {} has none"},
    {"solver", "kernels", "diagonal", "is of method hpf2d; {} has fused and split"},
};

// What grids of fewer than three dimensions lack.
struct Lacking {
  int dimensions;  // at most
  std::string_view section, key, value, message;
};
constexpr Lacking lacking[] = {
    {2, "far", "", "", "is of method fdtd3d; {} has no far fields"},
    {2, "source", "type", "gaussian-beam", "is of method fdtd3d; {} has dipole, plane-wave, sheet and hard"},
    {2, "grid", "spacings_z", "", "{} has no such axis"},
    {1, "grid", "spacings_y", "", "{} has no such axis"},
    {1, "solver", "variant", "", "is of method fdtd2d; {} has its own kernels only"},
};
// And what methods of more dimensions have not.
constexpr Lacking of_fewer[] = {
    {2, "solver", "polarisation", "", "is of methods fdtd2d and fdtd1d; {} has all components"},
    {2, "solver", "variant", "", "is of method fdtd2d; {} has its own kernels only"},
    {2, "initial", "type", "file", "is of methods fdtd2d and fdtd1d; {} has zero, cavity-mode and formula"},
    {1, "solver", "subdomains", "", "is of method fdtd1d; {} has none"},
    {1, "solver", "reflections", "", "is of method fdtd1d; {} has none"},
    {1, "solver", "window", "", "is of method fdtd1d; {} has none"},
    {1, "solver", "rest", "", "is of method fdtd1d; {} has none"},
};

template <class Key>
void refuse(const IniTable& table, const Key& k, std::string_view method) {
  const auto is_of = [&](std::string_view section) { return section == k.section || kind_of(section) == k.section; };
  for (const Section& section : table.sections())
    if (k.key.empty() && is_of(section.name))
      throw Error(fmt::format("{}: section [{}]: {}", section.origin, section.name,
                              fmt::format(fmt::runtime(k.message), method)));
  for (const Entry& entry : table.entries())
    if (entry.key == k.key && is_of(entry.section) && (k.value.empty() || k.value == entry.value))
      throw Error(fmt::format("{}: {}", entry.place(), fmt::format(fmt::runtime(k.message), method)));
}

}  // namespace

std::string_view name_of(Method m) { return text_of(method_names, m); }
std::string_view name_of(Variant v) { return text_of(variant_names, v); }

Method method_of(const IniTable& table) {
  Method method = Solver().method;
  if (const Entry* entry = table.find("solver", "method")) choice(method, method_names).set(entry->value);
  return method;
}

void check_method(const IniTable& table) {
  const Method method = method_of(table);
  if (const Entry* entry = table.find("solver", "method"); entry && entry->value != name_of(method))
    return;  // its rule will say so
  const Family family = method == Method::dgtd ? Family::elements : Family::grids;
  for (const Owned& o : owned)
    if (o.family != family) refuse(table, o, name_of(method));
  if (method == Method::hpf2d)
    for (const Of& o : not_of_potentials) refuse(table, o, name_of(method));
  else
    for (const Of& o : of_potentials) refuse(table, o, name_of(method));
  for (const Lacking& l : lacking)
    if (dimensions(method) <= l.dimensions) refuse(table, l, name_of(method));
  for (const Lacking& l : of_fewer)
    if (dimensions(method) > l.dimensions) refuse(table, l, name_of(method));
}

}  // namespace dgtd::config
