#pragma once
#include "dgtd/config/case.hpp"
#include "ini_scan.hpp"

namespace dgtd::config {

/// Subdomains of method fdtd1d: refuses what they do not have, and leaves no Fourier transform.
void complete_subdomains(Case& c, const IniTable& table);

}  // namespace dgtd::config
