#pragma once
// Traces of one polynomial degree as traces of another one on the same face (INRIA report 7592, section 3: a degree of
// its own in each element). Both elements number the nodes of the face by its ascending vertices, so that one pair of
// matrices serves all faces.
#include <vector>

namespace dgtd::dg {

/// [Nf(high)][Nf(low)], row by row: degree elevation E of the triangle, exact: B_b^low = sum_a E_ab B_a^high.
std::vector<double> face_elevation(int low, int high);

/// [Nf(low)][Nf(high)], row by row: the L2 projection R = M_low^-1 E^T M_high, M the mass matrices of the triangle. It
/// is the adjoint of E, (E u, v) = (u, R v), by which the two half steps of the leap-frog scheme stay transposed to
/// each other and energy is conserved.
std::vector<double> face_projection(int high, int low);

}  // namespace dgtd::dg
