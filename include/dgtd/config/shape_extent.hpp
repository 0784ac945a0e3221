#pragma once
// Extent of the shapes of a case.
#include <array>
#include <vector>

#include "dgtd/config/case.hpp"

namespace dgtd::config {

/// Largest distances of a shape's points from its centre, m.
struct Reach {
  Vec3 low, high;  // along x, y and z, both >= 0
  double any;      // in any direction
};

/// Polygons of a gds shape with its walls. Throws Error where these meet.
geometry::Extrusion extrusion_of(const Shape& s);

/// Whether the case alone says it: stl and labels have theirs in files. Of step, and of what is made of other shapes, it
/// is known where they have an extent.
bool has_reach(const Shape& s);
/// Throws Error (bad_input) where has_reach is false.
Reach reach_of(const Shape& s);

/// The face of a shape that a line of a grid may lie on, or its end.
struct FaceLine {
  double at;  // m, along the axis
  bool flat;  // a plane across the axis; else the end of something round or oblique
};
/// Lines along an axis, the lowest and the highest included; of walls of layouts, those at least `thin` long. A perfectly conducting cylinder with a diameter below
/// `thin` (m) is a wire: across itself it has one line, through its axis.
std::vector<FaceLine> lines_of(const Shape& s, int axis, bool perfect, double thin);

/// m, what a shape's roundness asks for along an axis: a twelfth of its diameter; half the thickness of a turned box or
/// prism; infinite where there is neither.
double round_cell(const Shape& s, int axis);

}  // namespace dgtd::config
