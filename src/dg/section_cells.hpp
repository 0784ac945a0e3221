#pragma once
// The cross-section of a guide of any media as cells over the faces of the mesh in a port's plane, and the modes of the
// cells at any place in it.
#include <vector>

#include "dgtd/grid/section_modes.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/port_mode.hpp"
#include "guide_plane.hpp"

namespace dgtd::dg {

/// A face in the plane, as one of the elements at both of its sides has it.
struct SectionFace {
  SectionTriangle triangle;
  double permittivity = 1, permeability = 1;  // relative
  bool ahead = false;                         // of the element
};

struct SectionFaces {
  std::vector<SectionFace> faces;                   // of all ranks, both sides
  std::vector<SectionEdge> conductors, magnetic_walls;  // edges in the plane
};

/// Length of cells that are short beside the waves in the densest material and beside the plane, m; `taken` is larger
/// where they would be more than a rank can solve for in seconds.
struct CellLength {
  double wanted, taken;
};
CellLength cell_length(const GuidePlane& plane, const SectionFaces& faces);
/// One line in the log where cells are larger than wanted.
void report_larger_cells(const physics::Port& port, const CellLength& length);

/// Cells between lines at the ends of the plane and where materials or conductors end along an axis, and cells of
/// `spacing` (m) or less between them. The same for any order of the lists. Throws Error (bad_input) where faces do not
/// fill the plane up to conductors, or where materials differ on both sides of it or in their mu_r.
grid::CrossSection cells_over(const GuidePlane& plane, SectionFaces faces, double spacing);

/// E and H of a mode at a place u, v (m) of the section, E along an axis (0, 1) of it and H across: linear between the
/// edges of the cells, but eps E along its own axis, as it is continuous there.
solver::ModeFields fields_at(const grid::CrossSection& section, const grid::SectionMode& mode, double u, double v, int axis);

}  // namespace dgtd::dg
