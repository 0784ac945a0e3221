#pragma once
// The transverse E of a mode on the edges of a port's plane: solutions of the grid's own two-dimensional problem, so
// that other modes of the grid have no part in sums with it.
#include "fdtd/sources/cross_section.hpp"

namespace dgtd::fdtd {

struct TransverseMode {
  std::array<std::vector<double>, 2> electric;  // [numbers of edges along each axis], of 1 V of the mode: 1/m
  double norm = 1;               // sum over edges of electric^2 times their areas
  double cut_off_square = 0;     // k_c^2 of the grid, 1/m^2; 0: TEM
  bool is_transverse_electric = true;  // else TM; both are one where k_c = 0
};

/// Waveguide: the TE or TM mode next to that of the formula, with the norm 1, so that its voltage is sqrt(P Z_w) of
/// the power P and the wave impedance. Coax: E of 1 V between the inner conductor and the outer one. Throws Error
/// (bad_input) where the conductors are not those of the port's type.
TransverseMode transverse_mode(const CrossSection& section, const physics::Port& port);

}  // namespace dgtd::fdtd
