#pragma once
// Outlines of paths.
#include <array>
#include <vector>

#include "dgtd/geometry/layout.hpp"

namespace dgtd::geometry {

/// Convex polygons, counter-clockwise, that together are a path with this width; those of neighbouring segments have
/// corners in common. Where the path turns by at most 90 degrees its outer corner is sharp, otherwise cut off. A round
/// end has corners at a distance from the arc of at most 1 / 100 of the width. Database units.
std::vector<std::vector<std::array<double, 2>>> path_pieces(const LayoutPath& path);

/// An upper limit of the number of their corners.
double corners_of_path(const LayoutPath& path);

}  // namespace dgtd::geometry
