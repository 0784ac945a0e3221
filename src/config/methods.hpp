#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// Throws for the first section, key or value that the case's method does not have and another has.
void check_method(const IniTable& table);

}  // namespace dgtd::config
