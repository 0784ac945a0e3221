#pragma once
// Mur's absorbing condition of first order on sides of the grid.
#include <array>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// This rank's tangential E components on sides of type mur: those on one such side, then those on the edges between
/// two, which belong to the side of the lower axis and follow since they read the first ones. Throws Error (bad_input)
/// where the block is a single cell thick across the side.
template <class Real>
std::array<BoundaryList, 2> mur_lists(const grid::Setup& setup, const Discretisation<Real>& d);

}  // namespace dgtd::fdtd
