// Checks of the keys of keys_sources.cpp.
#include <fmt/format.h>

#include <cmath>

#include "checks.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/physics/guide_mode.hpp"

namespace dgtd::config::check {
namespace {

using SourceType = Source::Type;

void check_along_axis(const Source& s, const Entry& direction, const std::string& where) {
  if (zeros_of(s.direction) != 2) reject(direction, fmt::format("must be along x, y or z where {}", where));
}

Vec3 normal_of(const Source& sheet) {
  return {double(sheet.size.x == 0), double(sheet.size.y == 0), double(sheet.size.z == 0)};
}

template <class Region>
void region_size(const Region& region, const Case& c, const Given& given) {
  const int zeros = zeros_of(region.size);
  if (region.type == Flux::Type::box && zeros > 0) reject(given.entry, "must be 3 numbers > 0 where type = box");
  if (region.type == Flux::Type::plane && zeros != 1)
    reject(given.entry, "exactly one must be 0, that of the normal, where type = plane");
  const auto& method = c.solver.method;
  for (int a = method.has.dimensions; a < 3; ++a)
    if (region.size[a] == 0)
      reject(given.entry, fmt::format("must not be 0 along {}, which {} does not have", "xyz"[a], method.name));
}

}  // namespace

void sheet_size(Source& s, const Case&, const Given& given) {
  if (zeros_of(s.size) != 1) reject(given.entry, "exactly one must be 0, that of the sheet's normal");
}

void source_direction(Source& s, const Case&, const Given& given) {
  make_unit(s.direction, given.entry);
  if (s.type == SourceType::hard) check_along_axis(s, given.entry, "type = hard");
  if (s.type == SourceType::sheet && std::abs(dot(s.direction, normal_of(s))) != 1)
    reject(given.entry,
           fmt::format("must be along the normal of the sheet, whose size is {}", given.other("size")->value));
}

// Makes the polarisation a unit vector, of a wave exactly normal to its direction.
void source_polarisation(Source& s, const Case&, const Given& given) {
  make_unit(s.polarisation, given.entry);
  if (s.type == SourceType::sheet) {
    if (dot(s.polarisation, normal_of(s)) != 0)
      reject(given.entry, fmt::format("must lie in the sheet, whose size is {}", given.other("size")->value));
    return;
  }
  const double slant = dot(s.polarisation, s.direction);
  const Entry& direction = *given.other("direction");
  if (std::abs(slant) > 1e-6)
    reject(given.entry, fmt::format("must be normal to {} = {}", direction.name(), direction.value));
  if (is_rounding(slant)) return;
  s.polarisation -= slant * s.direction;
  make_unit(s.polarisation, given.entry);
}

void sheet_profile(Source& s, const Case& c, const Given& given) {
  if (is_numpy_file(s.profile) && c.solver.method.has.dimensions < 3)
    reject(given.entry, fmt::format("method {} has no NumPy profiles, fdtd3d has", c.solver.method.name));
}

void dipole_length(Source& s, const Case& c, const Given& given) {
  if (!c.solver.method.has.tetrahedra) check_along_axis(s, *given.other("direction"), given.entry.name() + " is given");
}

void box_max(Source& s, const Case& c, const Given& given) {
  if (!s.box_min) return;
  const int axes = c.solver.method.has.dimensions;
  bool exceeds = true;
  for (int a = 0; a < axes; ++a) exceeds = exceeds && (*s.box_max)[a] > (*s.box_min)[a];
  if (exceeds) return;
  const Entry& box_min = *given.other("box_min");
  reject(given.entry, fmt::format("must exceed {} = {} along {}", box_min.name(), box_min.value,
                                  axes == 3   ? "x, y and z"
                                  : axes == 2 ? "x and y"
                                              : "x"));
}

void total_field(Source& s, const Case&, const Given& given) {
  if (s.box_min || s.box_max)
    reject(given.entry, fmt::format("is given beside {}; one of them is allowed",
                                    given.other(s.box_min ? "box_min" : "box_max")->name()));
}

void port_direction(Port& p, const Case&, const Given& given) {
  make_unit(p.direction, given.entry);
  if (zeros_of(p.direction) != 2) reject(given.entry, "must be along x, y or z");
  if (!p.is_lumped() && std::abs(dot(p.direction, p.size)) > 0)
    reject(given.entry, fmt::format("must be along the axis of which size is 0; size is {}", given.other("size")->value));
}

void port_size(Port& p, const Case&, const Given& given) {
  if (p.is_lumped()) return;
  if (zeros_of(p.size) != 1)
    reject(given.entry, "exactly one must be 0, that of direction, where type = waveguide, coax or mode");
}

void port_mode(Port& p, const Case&, const Given& given) {
  if (physics::has_mode(p.section, p.mode)) return;
  reject(given.entry, p.section == Port::Section::circle ? "of a circle the second number must be 1 or more"
                      : p.mode.kind == physics::GuideMode::Kind::te
                          ? "a rectangle has no mode te 0 0"
                          : "a rectangle has modes tm from tm 1 1 on");
}

void port_resistance(Port& p, const Case&, const Given& given) {
  if (p.resistance == 0 && p.circuit == Port::Circuit::parallel)
    reject(given.entry, "must be > 0 where circuit = parallel");
}

void snapshot_phasor(Snapshot& s, const Case& c, const Given& given) {
  if (s.phasor && !c.time.frequency) reject(given.entry, "needs time.frequency");
}
void flux_size(Flux& f, const Case& c, const Given& given) { region_size(f, c, given); }
void monitor_size(Monitor& m, const Case& c, const Given& given) { region_size(m, c, given); }

}  // namespace dgtd::config::check
