#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// Lengths along axes that a method does not have, m: beyond all that a case describes.
constexpr double beyond = 1e9;

/// Checks of several keys together, after those of the table: keys that exclude each other, defaults that depend on
/// other keys, and values that are derived. The case is complete then.
void complete(Case& c, const IniTable& table);

// Parts of it.

/// Exactly one of time.end, time.periods and time.steps.
void check_lengths(const Case& c, const IniTable& table);
/// The ports that [sparameters] excites: what they send, and the frequencies of all ports.
void complete_s_parameters(Case& c, const IniTable& table);
/// Ports of several modes as one port per mode, NAME_NUMBER. Without [sparameters] the first of them sends.
void split_modes(Case& c, const IniTable& table);
/// The sources and ports of [excitation.NAME], and their amplitudes.
void complete_excitations(Case& c, const IniTable& table);
/// The port is its circuit, or measures, alone.
void end_excitation(Port& port);
/// Requirements of a run that its fields end; one that ends after its pulses has no Fourier sums of a last period.
void complete_time(Case& c, const IniTable& table);

/// Shapes in their simplest form: without a rotation that other keys can say, cones with equal ends as cylinders,
/// plates as polygons.
void simplify_shapes(Case& c);
/// Reads the polygons of [shape.NAME] type = gds. Throws Error (bad_input) that names the shape.
void complete_layouts(Case& c);

/// The extents, and centres, of shapes that are made of others, and of STEP files where these are to be read, for what
/// follows; and their end. Throws Error (bad_input) that names the shape.
void complete_extents(Case& c, bool read_step);
void forget_extents(Case& c);

/// Tetrahedra: the generator of the mesh where the case names neither one nor a file.
void choose_generator(Case& c, const IniTable& table);
/// Size and origin of the domain, on tetrahedra and on grids.
void complete_domain(Case& c, const IniTable& table);
/// Further keys of a mesh of shapes: elements per wavelength, the background's material, boundaries.
void complete_shapes_mesh(Case& c);

/// Cells of the absorbing layer on a side of the grid, whose spacing there is given (m); sides as in side_types.
std::int64_t cells_of_layer(const Case& c, std::size_t side, double spacing);
/// Whether the cells follow from the [domain] and the shapes: none of grid.cells, spacing and spacings_x and so on are
/// given.
bool has_automatic_grid(const Case& c);
/// Their spacings, with layers, and the grid's origin. Throws Error (bad_input) without a frequency, and for too many
/// cells.
void complete_automatic_grid(Case& c, const IniTable& table);
/// Cells and spacings of a grid, refinements included, and its sides.
void complete_grid(Case& c, const IniTable& table);
/// Methods with fewer than three axes: what they do not vary along, and the polarisation.
void flatten_to_axes(Case& c);
/// Requirements of the method on the case, and defaults of [solver].
void complete_solver(Case& c, const IniTable& table);
/// Sections of a box mesh that the case leaves out: vacuum, and pec on the sides.
void complete_box(Case& c);

}  // namespace dgtd::config
