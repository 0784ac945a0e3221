#pragma once
// What the completion of a case says of keys that are missing or out of place.
#include <string>
#include <string_view>

#include "ini_scan.hpp"

namespace dgtd::config {

[[noreturn]] void reject(const Entry& entry, const std::string& why);

/// The value of `key` means something only where `condition` holds, which `owner` spells.
void belongs(const IniTable& table, const std::string& section, std::string_view key, bool condition,
             std::string_view owner);

const Entry& required(const IniTable& table, const std::string& section, const Origin& origin, std::string_view key,
                      std::string_view allowed);

/// Whether the squared length of a vector, or its part along another, is 1 (0) but for rounding.
bool is_rounding(double difference);
void make_unit(Vec3& v, const Entry& entry);

}  // namespace dgtd::config
