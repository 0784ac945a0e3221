#pragma once
// Turns one after the other.
#include "dgtd/geometry/turn.hpp"

namespace dgtd::geometry {

/// One turn that is the first one and then the second one, by an angle from 0 to pi.
Turn turn_after(const Turn& first, const Turn& second);

}  // namespace dgtd::geometry
