#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// The sections of methods on grids alone, as complete.hpp has it: grid (but for its refinements), shapes, monitors.
void complete_fdtd(Case& c, const IniTable& table);

/// Methods with fewer than three axes, once all sections are complete: what they do not vary along, and the
/// polarisation.
void flatten_to_axes(Case& c);

/// The bands of tissues with debye_poles, once sources and monitors have their frequencies.
void complete_fits(Case& c, const IniTable& table);

}  // namespace dgtd::config
