#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// The sections of method fdtd3d alone, as complete.hpp has it: grid (but for its refinements), shapes, fluxes.
void complete_fdtd(Case& c, const IniTable& table);

/// The bands of tissues with debye_poles, once sources and monitors have their frequencies.
void complete_fits(Case& c, const IniTable& table);

}  // namespace dgtd::config
