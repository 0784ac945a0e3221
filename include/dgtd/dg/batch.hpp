#pragma once
// What a kernel reads of the elements that it updates: plain pointers into the arrays of a Discretisation, the same on
// the CPU and on the GPU. All arrays are blocked like the fields.
#include <cstdint>
#include <vector>

#include "dgtd/dg/kernels/element_update.hpp"

namespace dgtd::dg {

/// Element data of a half step (E from H, or H from E).
template <class Real>
struct ElementArrays {
  const std::uint32_t* neighbour;  // [block][face 4][lane 32] NeighbourCode
  const Real* metric;              // [block][6][lane 32] G = a_k . a_i / J, 1/m
  const Real* rate;                // [block][lane 32] m; see update_field.hpp
  const Real* decay;               // [block][lane 32]
  // Boundary elements only, [boundary block] counted from first_boundary_block of the batch:
  const std::uint32_t* external;  // [boundary block][face 4][lane 32] NeighbourCode of the external field; a zero slot
                                  // where there is none
  const Real* mirror;             // [boundary block][face 4][lane 32]
  const Real* admittance;         // [boundary block][face 4][3][lane 32]
  std::int64_t first_boundary_block = 0;
  Real* flux = nullptr;  // [block][3][Np][lane 32] rates, split kernels only
};

/// What sets elements apart. Traits are independent of each other; a kernel is chosen by those that its arithmetic
/// depends on (KernelTraits). Further ones, as a time-step level or dispersion, are further members here and, if they
/// change the arithmetic, further dimensions of the kernel tables.
struct ElementTraits {
  bool halo = false;        // has a face on another rank: is updated after the exchange of traces
  bool boundary = false;    // has a face on the boundary of the mesh
  bool conductive = false;  // conductivity above zero
};

/// Consecutive blocks of elements of equal traits. Elements with a boundary face are few: conductive or not, they share
/// a batch, which is conductive if one of them is.
struct Batch {
  ElementTraits traits;
  std::int64_t first_block = 0, blocks = 0;
  std::int64_t first_boundary_block = 0;  // the block whose boundary data would be entry 0 of their arrays
};

/// Batches that a half step updates.
struct Batches {
  std::vector<Batch> interior, halo;  // halo: after the exchange of traces
};

}  // namespace dgtd::dg
