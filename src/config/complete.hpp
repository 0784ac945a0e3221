#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// What no single key shows: required keys, keys that exclude each other, keys that belong to the
/// value of another; then the defaults that depend on other keys, and unit vectors.
void complete(Case& c, const IniTable& table);

}  // namespace dgtd::config
