#pragma once
// Surfaces of triangles that cross themselves.
#include <array>
#include <optional>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// m, a place where an edge of a triangle goes through the inside of one with which it shares no point; absent where none
/// does. What touches only, and triangles in one plane, do not count. (T. Moller, B. Trumbore, J. Graphics Tools 2 (1997) 21)
std::optional<Vec3> crossing_of(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles);

}  // namespace dgtd::mesh
