#pragma once
// Numerical flux on a face node, for the tangential components along the face's two edges.
//
// A face's trace of a field u is t = (u . e_a, u . e_b), e_a and e_b the edges from its lowest vertex.
// The jump enters the equations as n x (u* - u); with centered flux u* - u = (u_k - u_i) / 2 and
//   integral over the face of phi . (n x w) = J/|J| integral over the reference face of phi . (w_b e_a - w_a e_b) o,
// o = orientation of (e_a, e_b) against the outward normal: -1, 1, -1, 1 for the faces 0 to 3.
#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

inline constexpr int face_orientation[4] = {-1, 1, -1, 1};

/// Tangential vector along e_a and e_b, times two (the lift applies the half of the centered flux).
template <class V>
struct FaceFlux {
  V a, b;
};

/// Centered flux, interior faces: n x (u_k - u_i).
template <int face, class V>
DGTD_HOST_DEVICE FaceFlux<V> centered_flux(V own_a, V own_b, V other_a, V other_b) {
  if constexpr (face_orientation[face] > 0) return {other_b - own_b, own_a - other_a};
  else return {own_b - other_b, other_a - own_a};
}

/// The data of a boundary face. Metallic (report 7592, section
/// 3.1): E_k = -E_i, H_k = H_i, that is mirror = -1 or 1 with the element as its own neighbour.
/// Absorbing: the upwind flux against the external (incident) field, centered part with the field
/// that drives the curl, and a tangential damping of the updated field w,
///   E: 1/Z (w_ext - w)_t,   H: Z (w_ext - w)_t,
/// written with the inverse metric of the face: admittance = (aa, ab, bb).
template <class V>
struct BoundaryFace {
  V mirror;         // factor of the neighbour's trace: 1, or -1
  V admittance[3];  // zero on faces without damping
};

template <int face, class V>
DGTD_HOST_DEVICE FaceFlux<V> boundary_flux(const BoundaryFace<V>& face_data, V own_a, V own_b, V other_a, V other_b,
                                           V damped_a, V damped_b, V external_a, V external_b) {
  FaceFlux<V> flux = centered_flux<face>(own_a, own_b, face_data.mirror * other_a, face_data.mirror * other_b);
  const V jump_a = external_a - damped_a, jump_b = external_b - damped_b;
  flux.a = fma(face_data.admittance[0], jump_a, fma(face_data.admittance[1], jump_b, flux.a));
  flux.b = fma(face_data.admittance[1], jump_a, fma(face_data.admittance[2], jump_b, flux.b));
  return flux;
}

}  // namespace dgtd::dg
