#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// Lengths along axes that a method does not have, m: beyond all that a case describes.
constexpr double beyond = 1e9;

/// What no single key shows, after the checks of the table: keys that exclude each other, defaults that depend on other
/// keys, and values that are derived. The case is complete then.
void complete(Case& c, const IniTable& table);

// Parts of it.

/// Exactly one of time.end, time.periods and time.steps.
void check_lengths(const Case& c, const IniTable& table);
/// What a run that its fields end requires; one that ends after its pulses has no Fourier sums of a last period.
void complete_time(Case& c, const IniTable& table);

/// Tetrahedra: the generator of the mesh where the case names neither one nor a file.
void choose_generator(Case& c, const IniTable& table);
/// Size and origin of the domain, on tetrahedra and on grids.
void complete_domain(Case& c, const IniTable& table);
/// What a mesh of shapes needs besides: elements per wavelength, the background's material, boundaries.
void complete_shapes_mesh(Case& c);

/// Cells and spacings of a grid, refinements included, and its sides.
void complete_grid(Case& c, const IniTable& table);
/// Methods with fewer than three axes: what they do not vary along, and the polarisation.
void flatten_to_axes(Case& c);
/// What the method requires of the case, and defaults of [solver].
void complete_solver(Case& c, const IniTable& table);
/// Sections of a box mesh that the case leaves out: vacuum, and pec on the sides.
void complete_box(Case& c);

}  // namespace dgtd::config
