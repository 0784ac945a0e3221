#pragma once
// Methods under the spelling of earlier versions.
#include "ini_scan.hpp"

namespace dgtd::config {

/// Replaces method fdtd2d with solver.variant, and method fdtd1d with solver.subdomains, by the methods that they are
/// now, with one warning. Throws Error for a variant that does not exist or belongs to another method.
void replace_old_methods(IniTable& table);

}  // namespace dgtd::config
