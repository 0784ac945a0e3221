#pragma once
// Data of the elements that a kernel updates: plain pointers into the arrays of a Discretisation, the same on
// the CPU and on the GPU. All arrays are blocked like the fields.
#include <cstdint>
#include <vector>

#include "dgtd/dg/kernels/element_update.hpp"
#include "dgtd/dg/traits.hpp"

namespace dgtd::dg {

inline constexpr int most_states = 4;  // of an element

/// A state of the elements of a batch (Discretisation::states); null: they do not have it.
template <class Real>
struct StateBlocks {
  Real* values = nullptr;              // [state block][entry][lane 32]
  const Real* coefficients = nullptr;  // [state block][coefficient][lane 32]
  std::int64_t first = 0;              // the block of the rank whose state would be entry 0
};

/// Element data of a half step (E from H, or H from E).
template <class Real>
struct ElementArrays {
  const std::uint32_t* neighbour;  // [block][face 4][lane 32] NeighbourCode
  const Real* metric;              // [block][6][lane 32] G = a_k . a_i / J, 1/m
  const Real* Ca;                  // [block][lane 32] see update_field.hpp; Da in the half step of H
  const Real* Cb;                  // [block][lane 32] m; Db in the half step of H
  // Boundary elements only, [boundary block] counted from first_boundary_block of the batch:
  const std::uint32_t* external;  // [boundary block][face 4][lane 32] NeighbourCode of the field outside (incident, or
                                  // of a penalty of jumps the neighbour's); a zero slot where there is none
  const Real* mirror;             // [boundary block][face 4][lane 32]
  const Real* admittance;         // [boundary block][face 4][3][lane 32]
  std::int64_t first_boundary_block = 0;
  Real* flux = nullptr;  // [block][3][Np][lane 32] rates, split kernels only
  StateBlocks<Real> state[most_states] = {};
  PoleArrays<Real> poles = {};    // of dispersive batches, whose first state is that of their poles
  const Real* damping = nullptr;  // [layer block][9][lane 32] of layers: D of update_field.hpp, row by row
  std::int64_t first_layer_block = 0;
  CpmlArrays<Real> cpml = {};  // of convolutional layers
  CurvedArrays<Real> curved = {};  // where some elements are curved
};

/// Consecutive blocks of elements whose batch_traits are equal. traits.medium: the highest of its elements.
struct Batch {
  ElementTraits traits;
  std::int64_t first_block = 0, blocks = 0;
  std::int64_t first_boundary_block = 0;  // the block whose boundary data would be entry 0 of their arrays
  std::int64_t first_layer_block = 0;     // and that of the data of passive layers
  std::int64_t first_section_block = 0;   // of a convolutional layer: the place of its numbers (cpml.hpp)
};

/// Batches that a half step updates.
struct Batches {
  std::vector<Batch> interior, halo;  // halo: after the exchange of traces
};

}  // namespace dgtd::dg
