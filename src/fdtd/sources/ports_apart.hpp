#pragma once
// Check of lumped ports against each other.
#include <vector>

#include "dgtd/grid/setup.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::fdtd {

/// Throws Error (bad_input) where two lumped ports have an edge in common: each circuit would be implicit in the voltage
/// there as if the other had no current, which may be unstable.
void check_apart(const grid::Setup& setup, const std::vector<physics::Port>& ports);

}  // namespace dgtd::fdtd
