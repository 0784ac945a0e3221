#pragma once
// Parts of unions, differences, intersections and wires.
#include <optional>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/geometry/combination.hpp"

namespace dgtd::config {

/// Whether another shape of the case is made of it, so that it is no body of its own.
bool is_operand(const Case& c, const Shape& s);

struct Parts {
  geometry::Combination combination;
  std::vector<Shape> shapes;
};

/// The shapes of a union, difference or intersection; of a wire the union of a cylinder per straight piece and of balls at
/// its corners, where it turns. Absent for all other shapes.
std::optional<Parts> parts_of(const Case& c, const Shape& s);

/// The shapes without parts that a shape is made of, itself where it has none.
std::vector<Shape> simple_parts(const Case& c, const Shape& s);

}  // namespace dgtd::config
