#pragma once
// Data of the energy kernels beside those of a half step (energy_kernel.hpp).
#include <cstdint>

#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/kernels/curved_product.hpp"

namespace dgtd::dg {

template <class Real>
struct EnergyData {
  const double* mass;                         // [Np][Np] over the reference tetrahedron
  const double *permittivity, *permeability;  // [volume groups] relative
  const std::uint16_t* group_of_slot;         // [slots]
  const Real *electric, *magnetic;            // E^n, H^{n-1/2}; filtered with local time steps
  const Real* unfiltered;          // old values of the half step in the blocks below unfiltered_blocks; elsewhere they
  std::int64_t unfiltered_blocks;  // are those of magnetic
  double* sums;                    // [thread blocks] J
  CurvedMassTables curved;         // where some elements are curved
};

inline constexpr int energy_threads = 128;  // per thread block
inline unsigned energy_thread_blocks(std::int64_t blocks) {
  return static_cast<unsigned>((blocks * block_lanes + energy_threads - 1) / energy_threads);
}

}  // namespace dgtd::dg
