#pragma once
// Conditions on sides of the grid that are lists of components of E.
#include <vector>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// This rank's components on sides with such a condition, in the order in which the lists are updated. Throws Error
/// (bad_input) where the block is a single cell thick across the side.
template <class Real>
std::vector<BoundaryList> boundary_lists(const grid::Setup& setup, const Discretisation<Real>& d);

}  // namespace dgtd::fdtd
