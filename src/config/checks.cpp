#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::config {

void reject(const Entry& entry, const std::string& why) { throw Error(fmt::format("{}: {}", entry.place(), why)); }

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

bool is_rounding(double difference) { return std::abs(difference) <= 8 * std::numeric_limits<double>::epsilon(); }

void make_unit(Vec3& v, const Entry& entry) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) reject(entry, "must not be zero");
  // A vector that a resolved case file carries is of unit length already; normalising it again
  // would change its last digits.
  if (is_rounding(dot(v, v) - 1)) return;
  v = v / largest;  // so that no square over- or underflows
  v = v / norm(v);
}

}  // namespace dgtd::config
