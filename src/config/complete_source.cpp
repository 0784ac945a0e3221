#include "complete_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "names.hpp"

namespace dgtd::config {
namespace {

using Type = Source::Type;

// Which types of source have a key.
struct Owners {
  std::string_view key;
  std::initializer_list<Type> types;
};
constexpr Type dipole = Type::dipole, plane_wave = Type::plane_wave, sheet = Type::sheet, beam = Type::gaussian_beam,
               hard = Type::hard;
const Owners owners[] = {{"position", {dipole, plane_wave, hard}},
                         {"moment", {dipole}},
                         {"radius", {dipole}},
                         {"length", {dipole}},
                         {"amplitude", {plane_wave, sheet, beam, hard}},
                         {"polarisation", {plane_wave, sheet, beam}},
                         {"box_min", {plane_wave}},
                         {"box_max", {plane_wave}},
                         {"centre", {sheet}},
                         {"size", {sheet}},
                         {"profile", {sheet}},
                         {"waist", {beam}},
                         {"focus", {beam}},
                         {"plane", {beam}}};

bool exists(Type type, Method method) {
  if (method == Method::dgtd) return type == dipole || type == plane_wave;
  if (method == Method::hpf2d) return type == dipole || type == sheet;
  return type != beam || dimensions(method) == 3;
}

std::string types_of(Method method) {
  std::vector<std::string_view> names;
  for (const auto& name : source_names)
    if (exists(name.value, method)) names.push_back(name.text);
  return fmt::format("{}", fmt::join(names, " | "));
}

void check_owners(const Source& s, const Case& c, const IniTable& table) {
  for (const Owners& o : owners) {
    std::vector<std::string_view> names;
    for (const Type type : o.types)
      if (exists(type, c.solver.method)) names.push_back(text_of(source_names, type));
    belongs(table, "source." + s.name, o.key, std::count(o.types.begin(), o.types.end(), s.type) > 0,
            fmt::format("type = {}", fmt::join(names, " | ")));
  }
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

void complete_total_field_box(const Source& s, int axes, const IniTable& table) {
  const std::string section = "source." + s.name;
  if (!s.box_min || !s.box_max) return;
  const Vec3 size = *s.box_max - *s.box_min;
  bool exceeds = true;
  for (int a = 0; a < axes; ++a) exceeds = exceeds && size[a] > 0;
  if (exceeds) return;
  const Entry* box_min = table.find(section, "box_min");
  reject(*table.find(section, "box_max"), fmt::format("must exceed {} = {} along {}", box_min->name(), box_min->value,
                                                      axes == 3   ? "x, y and z"
                                                      : axes == 2 ? "x and y"
                                                                  : "x"));
}

/// Makes the polarisation a unit vector normal to the other one, which `other` is called and `text` was.
void complete_polarisation(Source& s, const Vec3& other_vector, std::string_view other, std::string_view text,
                           const IniTable& table) {
  const Entry& polarisation = required(table, "source." + s.name, s.origin, "polarisation", "3 numbers");
  make_unit(s.polarisation, polarisation);
  const double slant = dot(s.polarisation, other_vector);
  if (std::abs(slant) > 1e-6)
    reject(polarisation, fmt::format("must be normal to source.{}.{} = {}", s.name, other, text));
  if (is_rounding(slant)) return;
  s.polarisation -= slant * other_vector;
  make_unit(s.polarisation, polarisation);
}

void complete_sheet(Source& s, const IniTable& table) {
  const std::string section = "source." + s.name;
  const Entry& size = required(table, section, s.origin, "size", "3 numbers, m");
  if ((s.size.x == 0) + (s.size.y == 0) + (s.size.z == 0) != 1)
    reject(size, "exactly one must be 0, that of the sheet's normal");
  const Vec3 normal{double(s.size.x == 0), double(s.size.y == 0), double(s.size.z == 0)};
  const Entry& polarisation = required(table, section, s.origin, "polarisation", "3 numbers");
  make_unit(s.polarisation, polarisation);
  if (dot(s.polarisation, normal) != 0)
    reject(polarisation, fmt::format("must lie in the sheet, whose size is {}", size.value));
  const Entry* direction = table.find(section, "direction");
  if (!direction) return;
  make_unit(s.direction, *direction);
  if (std::abs(dot(s.direction, normal)) != 1)
    reject(*direction, fmt::format("must be along the normal of the sheet, whose size is {}", size.value));
}

void check_along_axis(const Source& s, const Entry& direction, const std::string& where) {
  const int zeros = (s.direction.x == 0) + (s.direction.y == 0) + (s.direction.z == 0);
  if (zeros != 2) reject(direction, fmt::format("must be along x, y or z where {}", where));
}

}  // namespace

void complete_source(Source& s, const Case& c, const IniTable& table) {
  const std::string section = "source." + s.name;
  required(table, section, s.origin, "type", types_of(c.solver.method));
  check_owners(s, c, table);
  if (s.type == sheet) {
    complete_sheet(s, table);
  } else {
    const bool placed = s.type == dipole || s.type == hard;
    if (placed) required(table, section, s.origin, "position", "3 numbers, m");
    const Entry& direction = required(table, section, s.origin, "direction", "3 numbers");
    make_unit(s.direction, direction);
    if (table.find(section, "length")) check_along_axis(s, direction, section + ".length is given");
    if (s.type == hard) check_along_axis(s, direction, "type = hard");
    if (!placed) complete_polarisation(s, s.direction, "direction", direction.value, table);
  }
  if (s.type == beam) required(table, section, s.origin, "waist", "m");
  complete_total_field_box(s, dimensions(c.solver.method), table);
  complete_waveform(s, c, table);
}

}  // namespace dgtd::config
