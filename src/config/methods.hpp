#pragma once
#include "dgtd/config/case.hpp"
#include "ini_scan.hpp"

namespace dgtd::config {

/// The case's method; the default one where its value is not allowed, which its rule will say.
Method method_of(const IniTable& table);

/// Throws for the first section, key or value that the case's method does not have and another has.
void check_method(const IniTable& table);

}  // namespace dgtd::config
