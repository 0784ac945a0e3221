#pragma once

namespace dgtd::geometry {

/// Ways to combine bodies: of a difference the first one without all others.
enum class Combination { unite, subtract, intersect };

}  // namespace dgtd::geometry
