#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"

namespace dgtd::config {

void reject(const Entry& entry, const std::string& why) { throw Error(fmt::format("{}: {}", entry.place(), why)); }

void reject_missing(const Origin& origin, const std::string& section, std::string_view key, std::string_view allowed) {
  throw Error(fmt::format("{}: [{}]: {}.{} is required ({})", origin, section, section, key, allowed));
}

void check_exclusive(const Given& given, std::string_view other, std::string_view both) {
  if (const Entry* entry = given.other(other))
    reject(given.entry,
           fmt::format("only one of {} may be given, and {} is at {}", both, entry->name(), entry->origin));
}

void check_material(const Case& c, const Entry& entry, const std::string& name) {
  std::vector<std::string> names;
  for (const Material& m : c.materials) names.push_back(m.name);
  if (std::count(names.begin(), names.end(), name)) return;
  const std::string begin = fmt::format("there is no [material.{}]; ", name);
  if (const auto nearest = nearest_name(name, names)) reject(entry, fmt::format("{}did you mean {}?", begin, *nearest));
  reject(entry, fmt::format("{}the materials are {}", begin,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

bool is_rounding(double difference) { return std::abs(difference) <= 8 * std::numeric_limits<double>::epsilon(); }

void make_unit(Vec3& v, const Entry& entry) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) reject(entry, "must not be zero");
  // A vector of a resolved case file is of unit length already; normalising it again would change its last digits.
  if (is_rounding(dot(v, v) - 1)) return;
  v = v / largest;  // so that no square over- or underflows
  v = v / norm(v);
}

int zeros_of(const Vec3& v) { return (v.x == 0) + (v.y == 0) + (v.z == 0); }

void check_one_of_frequencies(const Given& given) {
  constexpr std::string_view keys[] = {"frequencies", "wavelengths", "frequency_range"};  // the later ones are refused
  for (const auto key : keys) {
    if (given.entry.key == key) return;
    check_exclusive(given, key, fmt::format("{} and {}", key, given.entry.key));
  }
}

namespace check {

template <class Region>
void frequencies(Region& region, const Case&, const Given& given) {
  check_one_of_frequencies(given);
  auto& f = region.frequencies;
  std::sort(f.begin(), f.end());
  f.erase(std::unique(f.begin(), f.end()), f.end());
}
template void frequencies(Flux&, const Case&, const Given&);
template void frequencies(Monitor&, const Case&, const Given&);
template void frequencies(Port&, const Case&, const Given&);
template void frequencies(SParameters&, const Case&, const Given&);
template void frequencies(FarField&, const Case&, const Given&);

}  // namespace check
}  // namespace dgtd::config
