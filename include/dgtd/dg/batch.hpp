#pragma once
// What a kernel needs to know of the elements it updates: plain pointers into the arrays of a
// Discretisation, the same on the CPU and on the GPU. All arrays are blocked like the fields.
#include <cstdint>

#include "dgtd/dg/kernels/element_update.hpp"

namespace dgtd::dg {

/// Element data of a half step (E from H, or H from E).
template <class Real>
struct ElementArrays {
  const std::uint32_t* neighbour;  // [block][face 4][lane 32] NeighbourCode
  const Real* metric;              // [block][6][lane 32] G = a_k . a_i / J, 1/m
  const Real* rate;                // [block][lane 32] m; see update_field.hpp
  const Real* decay;               // [block][lane 32]
  // Boundary elements only, [boundary block] counted from first_boundary_block:
  const std::uint32_t* external;  // [boundary block][face 4][lane 32] NeighbourCode of the external field; a zero slot
                                  // where there is none
  const Real* mirror;             // [boundary block][face 4][lane 32]
  const Real* admittance;         // [boundary block][face 4][3][lane 32]
  std::int64_t first_boundary_block;
  Real* flux = nullptr;  // [block][3][Np][lane 32] rates, split schedule only
};

/// Consecutive blocks of one kind.
struct Batch {
  ElementKind kind = ElementKind::lossless;
  std::int64_t first_block = 0, blocks = 0;
};

}  // namespace dgtd::dg
