#include "complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "dgtd/base/error.hpp"
#include "names.hpp"

namespace dgtd::config {
namespace {

[[noreturn]] void reject(const Entry& entry, const std::string& why) {
  throw Error(fmt::format("{}: {}", entry.place(), why));
}

// The value of `key` means something only where `condition` holds, which `owner` spells.
void belongs(const IniTable& table, const std::string& section, std::string_view key, bool condition,
             std::string_view owner) {
  const Entry* entry = table.find(section, key);
  if (entry && !condition) reject(*entry, fmt::format("belongs to {}", owner));
}

const Entry& required(const IniTable& table, const std::string& section, const Origin& origin, std::string_view key,
                      std::string_view allowed) {
  const Entry* entry = table.find(section, key);
  if (!entry) throw Error(fmt::format("{}: [{}]: {}.{} is required ({})", origin, section, section, key, allowed));
  return *entry;
}

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
    if (!tissue) continue;
    if (!c.time.frequency) reject(*tissue, "requires time.frequency");
    m.eps_r_known = table.find("material." + m.name, "eps_r");
    m.sigma_known = table.find("material." + m.name, "sigma");
  }
}

void complete_initial(const Case& c, const IniTable& table) {
  belongs(table, "initial", "mode", c.initial.type == Initial::Type::cavity_mode, "initial.type = cavity-mode");
  // Two zero indices leave no field that fulfils the walls' conditions.
  if (std::count(c.initial.mode.begin(), c.initial.mode.end(), 0) > 1)
    reject(*table.find("initial", "mode"), "at most one of the three may be zero");
}

// A vector that a resolved case file carries is of unit length already; normalising it again would
// change its last digits.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

void make_unit(Vec3& v, const Entry& entry) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) reject(entry, "must not be zero");
  if (std::abs(dot(v, v) - 1) <= rounding) return;
  v = v / largest;                                          // so that no square over- or underflows
  v = v / norm(v);
}

void complete_waveform(Source& s, const Case& c, const IniTable& table) {
  const std::string section = "source." + s.name;
  const bool ramped = s.waveform.type == Waveform::Type::ramped_sine;
  const bool gaussian = s.waveform.type == Waveform::Type::modulated_gaussian;
  belongs(table, section, "ramp", ramped, "waveform = ramped-sine");
  belongs(table, section, "bandwidth", gaussian, "waveform = modulated-gaussian");
  if (gaussian) required(table, section, s.origin, "bandwidth", "Hz");
  if (table.find(section, "frequency")) return;
  if (!c.time.frequency) required(table, section, s.origin, "frequency", "Hz; or time.frequency");
  s.waveform.frequency = *c.time.frequency;
}

void complete_source(Source& s, const Case& c, const IniTable& table) {
  const std::string section = "source." + s.name;
  required(table, section, s.origin, "type", "dipole | plane-wave");
  const bool dipole = s.type == Source::Type::dipole;
  belongs(table, section, "moment", dipole, "type = dipole");
  belongs(table, section, "radius", dipole, "type = dipole");
  belongs(table, section, "amplitude", !dipole, "type = plane-wave");
  belongs(table, section, "polarisation", !dipole, "type = plane-wave");
  if (dipole) required(table, section, s.origin, "position", "3 numbers, m");
  const Entry& direction = required(table, section, s.origin, "direction", "3 numbers");
  make_unit(s.direction, direction);
  if (!dipole) {
    const Entry& polarisation = required(table, section, s.origin, "polarisation", "3 numbers");
    make_unit(s.polarisation, polarisation);
    const double slant = dot(s.polarisation, s.direction);
    if (std::abs(slant) > 1e-6)
      reject(polarisation, fmt::format("must be normal to {}.direction = {}", section, direction.value));
    if (std::abs(slant) > rounding) {
      s.polarisation -= slant * s.direction;
      make_unit(s.polarisation, polarisation);
    }
  }
  complete_waveform(s, c, table);
}

void complete_dft(Case& c, const IniTable& table) {
  const Entry* entry = table.find("dft", "frequencies");
  if (!entry && c.time.frequency) c.dft.frequencies = {*c.time.frequency};
  if (!entry || c.dft.window == Dft::Window::all) return;
  if (!c.time.frequency) reject(*entry, "dft.window = last-period requires time.frequency");
  for (const double frequency : c.dft.frequencies) {
    const double ratio = frequency / *c.time.frequency, harmonic = std::round(ratio);
    if (harmonic < 1 || std::abs(ratio - harmonic) > 1e-9 * harmonic)
      reject(*entry, fmt::format("dft.window = last-period requires multiples of time.frequency = {} Hz",
                                 *c.time.frequency));
  }
}

}  // namespace

void complete(Case& c, const IniTable& table) {
  complete_mesh(c, table);
  complete_time(c, table);
  complete_materials(c, table);
  for (const Boundary& b : c.boundaries)
    required(table, "boundary." + b.name, b.origin, "type", "silver-muller | pec | pmc");
  complete_initial(c, table);
  for (Source& s : c.sources) complete_source(s, c, table);
  for (const Probe& p : c.probes) required(table, "probe." + p.name, p.origin, "position", "3 numbers, m");
  complete_dft(c, table);
  belongs(table, "sar", "power", c.sar.normalise != Sar::Normalise::none,
          "sar.normalise = emitted | accepted | incident");
  if (!table.find("output", "directory")) c.output.directory = c.file.parent_path() / "out" / c.name;
}

}  // namespace dgtd::config
