#pragma once
#include <array>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::fdtd {

/// Copies what the blocks above hold next to this one into the layers above, axis by axis, so that edges come with the
/// second axis. values: [3][reals]; `other` of a complex field is the imaginary part of what `values` is the real part
/// of, and both are turned where they pass a side with a Bloch phase. Collective.
template <class Real>
void fill_upper_ghosts(const Discretisation<Real>& d, std::vector<Real>& values, std::vector<Real>* other, const std::array<double, 3>& bloch_phase,
                       const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
