#pragma once
#include <cstdint>
#include <vector>

#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg {

template <class Real>
bool has_curved_metric(const Discretisation<Real>& d, std::uint32_t slot) {
  return d.curved_blocks > 0 && d.curved_block[slot / block_lanes] >= 0;
}

/// [3][Np] P_p(G_ki r^i) of an owned slot's element in double precision (kernels/curved.hpp); rates: [3][Np] r^i.
template <class Real>
std::vector<double> apply_curved_metric(const Discretisation<Real>& d, std::uint32_t slot, const std::vector<double>& rates);

}  // namespace dgtd::dg
