#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/element_geometry.hpp"

namespace dgtd::dg {

template <class Real>
bool has_curved_metric(const Discretisation<Real>& d, std::uint32_t slot) {
  return d.curved_blocks > 0 && d.curved_block[slot / block_lanes] >= 0;
}

/// [3][Np] P_p(G_ki r^i) of an owned slot's element in double precision (kernels/curved.hpp); rates: [3][Np] r^i.
template <class Real>
std::vector<double> apply_curved_metric(const Discretisation<Real>& d, std::uint32_t slot, const std::vector<double>& rates);

/// e . a_k; of a curved element with the metric of its mass, so that a current's work is the change of the energy:
///   |J| sign(J) G_ki (grad l_i . e),   with J and the gradients of the straight element.
/// Where G depends on the point, without G. geometry: of the slot's element.
template <class Real>
std::array<double, 3> covariant_direction(const Discretisation<Real>& d, std::uint32_t slot,
                                          const ElementGeometry& geometry, const Vec3& e);

}  // namespace dgtd::dg
