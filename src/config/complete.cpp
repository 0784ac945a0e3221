#include "complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "checks.hpp"
#include "complete_fdtd.hpp"
#include "complete_refinements.hpp"
#include "complete_source.hpp"
#include "complete_variant.hpp"
#include "complete_subdomains.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/formula.hpp"
#include "names.hpp"

namespace dgtd::config {
namespace {

void complete_mesh(Case& c, const IniTable& table) {
  const bool box = c.mesh.generator == Mesh::Generator::box;
  const bool head_phone = c.mesh.generator == Mesh::Generator::head_phone;
  belongs(table, "mesh", "level", head_phone, "mesh.generator = head-phone");
  belongs(table, "mesh", "cells", box, "mesh.generator = box");
  belongs(table, "mesh", "size", box, "mesh.generator = box");
  belongs(table, "mesh", "file", !box, "a mesh from a file, and mesh.generator = box needs none");
  belongs(table, "mesh", "unit", !box && !head_phone, "a mesh from a file, and generated ones are in metres");
  if (table.find("mesh", "file")) return;
  if (head_phone)
    c.mesh.file = (c.file.parent_path() / "../meshes/generated" / fmt::format("head_phone_{}.msh", c.mesh.level))
                      .lexically_normal();
  else if (!box)
    throw Error(fmt::format("{}: mesh.file is required (or mesh.generator = box | head-phone)", table.file()));
}

void complete_time(const Case& c, const IniTable& table) {
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

void complete_materials(Case& c, const IniTable& table) {
  for (Material& m : c.materials) {
    const Entry* tissue = table.find("material." + m.name, "tissue");
    for (const auto key : {"debye_poles", "fit_band"})
      belongs(table, "material." + m.name, key, tissue, "materials with a tissue");
    belongs(table, "material." + m.name, "fit_band", m.debye_poles.has_value(), "materials with debye_poles");
    if (!tissue) continue;
    if (!c.time.frequency && !m.debye_poles)
      reject(*tissue,
             c.solver.method == Method::dgtd ? "requires time.frequency" : "requires time.frequency or debye_poles");
    m.eps_r_known = table.find("material." + m.name, "eps_r");
    m.sigma_known = table.find("material." + m.name, "sigma");
  }
}

void complete_bloch(const Boundary& b, const IniTable& table) {
  const std::string section = "boundary." + b.name;
  const bool bloch = b.type == Boundary::Type::bloch;
  for (const auto key : {"phase", "k"}) belongs(table, section, key, bloch, "type = bloch");
  if (!bloch) return;
  if (!b.k) required(table, section, b.origin, "phase", fmt::format("rad across the grid; or {}.k, rad/m", section));
  if (b.k && b.phase)
    reject(*table.find(section, "k"), fmt::format("only one of phase and k may be given, and {}.phase is at {}",
                                                  section, table.find(section, "phase")->origin));
}

// What hpf/steps_at_once.cpp can do.
void complete_potential_solver(const Case& c, const IniTable& table) {
  const bool diagonal = c.solver.kernels == Kernels::diagonal, line = c.solver.stencil == Stencil::line;
  if (diagonal && !line) reject(*table.find("solver", "kernels"), "requires solver.stencil = line");
  if (diagonal && c.solver.block_timesteps > 32)
    reject(*table.find("solver", "block_timesteps"), "must be at most 32 where kernels = diagonal");
  if (!line && c.solver.block_timesteps > 16)
    reject(*table.find("solver", "block_timesteps"), "must be at most 16 where stencil = laplacian");
}

void complete_formulas(const Initial& initial, const IniTable& table) {
  bool any = false;
  for (int c = 0; c < 3; ++c)
    for (const auto key : {electric_names[c], magnetic_names[c]}) {
      belongs(table, "initial", key, initial.type == Initial::Type::formula, "initial.type = formula");
      const Entry* entry = table.find("initial", key);
      if (!entry) continue;
      any = true;
      try {
        Formula formula(entry->value);
      } catch (const Error& error) { reject(*entry, error.what()); }
    }
  if (initial.type == Initial::Type::formula && !any)
    reject(*table.find("initial", "type"), "needs one of Ex, Ey, Ez, Hx, Hy and Hz");
}

void complete_initial(const Case& c, const IniTable& table) {
  const int axes = dimensions(c.solver.method);
  belongs(table, "initial", "mode", c.initial.type == Initial::Type::cavity_mode, "initial.type = cavity-mode");
  // Two zero indices leave no field that fulfils the walls' conditions.
  if (std::count(c.initial.mode.begin(), c.initial.mode.end(), 0) > 1)
    reject(*table.find("initial", "mode"), "at most one of the three may be zero");
  if (axes == 2 && c.initial.mode[2] != 0)
    reject(*table.find("initial", "mode"), "must have 0 half waves along z, which fdtd2d does not have");
  complete_formulas(c.initial, table);
  const bool file = c.initial.type == Initial::Type::file;
  belongs(table, "initial", "file", file, "initial.type = file");
  if (file) required(table, "initial", table.find("initial", "type")->origin, "file", "a path");
  if (axes == 1 && c.initial.type == Initial::Type::cavity_mode)
    reject(*table.find("initial", "type"), "is of methods with two axes at least");
}

void complete_dft(Case& c, const IniTable& table) {
  const Entry* entry = table.find("dft", "frequencies");
  if (!entry && c.time.frequency) c.dft.frequencies = {*c.time.frequency};
  if (!entry || c.dft.window == Dft::Window::all) return;
  if (!c.time.frequency) reject(*entry, "dft.window = last-period requires time.frequency");
  for (const double frequency : c.dft.frequencies) {
    const double ratio = frequency / *c.time.frequency, harmonic = std::round(ratio);
    if (harmonic < 1 || std::abs(ratio - harmonic) > 1e-9 * harmonic)
      reject(*entry,
             fmt::format("dft.window = last-period requires multiples of time.frequency = {} Hz", *c.time.frequency));
  }
}

}  // namespace

void complete(Case& c, const IniTable& table) {
  const bool dgtd = c.solver.method == Method::dgtd;
  if (dgtd) complete_mesh(c, table);
  complete_time(c, table);
  complete_materials(c, table);
  if (!dgtd) complete_fdtd(c, table);
  for (const Boundary& b : c.boundaries)
    required(table, "boundary." + b.name, b.origin, "type",
             dgtd                               ? "silver-muller | pec | pmc"
             : c.solver.method == Method::hpf2d ? "mur | pec | pmc | periodic"
                                                : "cpml | mur | pec | pmc | periodic | bloch");
  for (const Boundary& b : c.boundaries) complete_bloch(b, table);
  if (!dgtd) {
    side_types(c);
    bloch_phases(c);
    complete_refinements(c, table);
  }
  if (c.solver.method == Method::hpf2d) complete_potential_solver(c, table);
  complete_initial(c, table);
  for (Source& s : c.sources) complete_source(s, c, table);
  for (const Probe& p : c.probes) required(table, "probe." + p.name, p.origin, "position", "3 numbers, m");
  complete_dft(c, table);
  if (dimensions(c.solver.method) < 3) flatten_to_axes(c);
  complete_variant(c, table);
  if (!dgtd) complete_fits(c, table);
  complete_subdomains(c, table);
  belongs(table, "sar", "power", c.sar.normalise != Sar::Normalise::none,
          "sar.normalise = emitted | accepted | incident");
  if (!table.find("output", "directory")) c.output.directory = c.file.parent_path() / "out" / c.name;
}

}  // namespace dgtd::config
