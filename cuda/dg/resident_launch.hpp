#pragma once
// Arguments and launch of the kernel of resident_kernel.hpp.
#include <cuda_runtime.h>

#include <cstdint>

namespace dgtd::dg {

/// A ghost of this rank (neighbour 0) or of the k-th of the ranks that take part in its halos (neighbour k + 1).
struct GhostPlace {
  static constexpr int bits = 24;  // of the ghost
  static constexpr std::uint32_t of(std::uint32_t neighbour, std::uint32_t ghost) { return neighbour << bits | ghost; }
  static constexpr std::uint32_t neighbour(std::uint32_t place) { return place >> bits; }
  static constexpr std::uint32_t ghost(std::uint32_t place) { return place & ((1u << bits) - 1); }
};

/// Currents: what they add to E after each of its half steps. An entry is a coefficient of a block.
struct ResidentCurrents {
  int count = 0;                              // currents
  int blocks = 0;                             // with entries
  const std::int32_t* of_block = nullptr;     // [block] its place among those with entries, -1: none
  const std::uint32_t* first = nullptr;       // [block with entries][current + 1]
  const std::uint32_t* offset = nullptr;      // [entry] in the block's coefficients
  const double *increment = nullptr, *weight = nullptr;  // [entry] CurrentCoefficients
  const double* numbers = nullptr;            // [step][f, factor of the work][current]
  double* partial = nullptr;                  // [step][current][block with entries] sum of weight u after the step
};

/// Shapes: ResidentClusters. Of the half steps: 0 of E, 1 of H.
struct ResidentArgs {
  const std::int32_t *first_block, *surface_blocks, *first_ghost_block, *ghosts, *boundary_block;
  const std::uint32_t *slot, *code, *own, *partner;
  const float* metric;             // [block][6][lane]
  const float* Ca;                 // [block][lane] of E; of H it is 1
  const float* Cb[2];              // [block][lane]
  const float *mirror[2], *admittance[2];  // [boundary block][face 4][lane], [boundary block][face 4][3][lane]
  float* field[2];                 // E, H of the rank
  uint4* message[2];               // [ghost block][packet][lane], of E and of H
  uint4* const* message_of_neighbour;  // [neighbour][2] GhostPlace: their `message`, mapped; [0]: of this rank
  const unsigned* ended;               // EndOfWaiting; null: on one rank
  unsigned number;                 // of the first exchange of the launch: larger than all before
  int half_steps;
  int update_warps;                // of a thread block; the others send and receive
  ResidentCurrents currents;
};

/// Kernel of an order.
struct ResidentKernel {
  const void* kernel = nullptr;  // null: the order has none
  int most_warps = 0;            // of a thread block
  int most_update_warps = 0;
  int ghosts_per_thread = 0;     // of a thread that sends
  int packets = 0;               // of a message
};

inline constexpr int highest_resident_order = 3;
/// Defined in one file per order, written by CMake.
template <int p>
ResidentKernel make_resident_kernel();

}  // namespace dgtd::dg
