#pragma once
// Unions, differences and intersections of bodies.
#include <memory>
#include <vector>

#include "dgtd/geometry/combination.hpp"
#include "dgtd/grid/shapes.hpp"

namespace dgtd::grid {

/// operands: [operands][shapes], of which one consists together; their materials and priorities mean nothing. Throws
/// Error for an operand without volume, and for an intersection whose operands are apart.
std::shared_ptr<const Solid> combine(geometry::Combination combination, std::vector<std::vector<Shape>> operands);

}  // namespace dgtd::grid
