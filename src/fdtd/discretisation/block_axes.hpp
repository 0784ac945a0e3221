#pragma once
// The axes of a rank's block: spacings, absorbing layers and places.
#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

/// Sets the block, its layout, the axes of both half steps, and the places of nodes and centres.
template <class Real>
void set_axes(Discretisation<Real>& d, const grid::Setup& setup, int rank, int ranks);

}  // namespace dgtd::fdtd
