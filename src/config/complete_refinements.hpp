#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// The sections [refine.NAME] of a grid that complete_fdtd has completed, as its spacings.
void complete_refinements(Case& c, const IniTable& table);

}  // namespace dgtd::config
