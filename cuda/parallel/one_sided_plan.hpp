#pragma once
// Places of values and flags in the areas of ranks that write into one another's memory: of transports whose receivers
// take no part in a message (peer_transport.cpp, nvshmem_transport.cpp).
//
// Exchange n = 1, 2, ... of a rank, all in its halo stream:
//   wait until each receiver has read exchange n - 2; write the values into half n % 2 of its area, then n into its
//   flag `arrived`; wait until each own flag `arrived` is n; unpack.
// The flag `arrived` n of a neighbour also tells that the neighbour has unpacked exchange n - 1, since its stream did
// so before. A rank that sends to a rank from which it also receives therefore needs nothing else: in exchange n - 1 it
// has waited for the flag n - 1, so exchange n - 2 is read. Where messages have one direction only (a half step of a
// grid), the receiver writes n - 1 into the flag `consumed` of the sender when it starts exchange n, and the sender
// waits for n - 2 there before it packs exchange n. Every wait is for work that its neighbour has queued before the
// neighbour's own wait of the same exchange, so there is no cycle.
#include <cstddef>
#include <string>
#include <vector>

#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::parallel {

/// Offsets are in bytes from the beginning of an area.
struct OneSidedPlan {
  static constexpr std::size_t none = ~std::size_t{0};
  struct Send {
    int rank;
    std::size_t first, count;  // bytes of the packed values
    std::size_t values[2];     // in the receiver's area, of each half
    std::size_t arrived;       // there
    std::size_t consumed;      // in the own area; none: the receiver's messages tell
  };
  struct Receive {
    int rank;
    std::size_t arrived;   // in the own area
    std::size_t consumed;  // in the sender's area; none: the own messages tell
  };
  std::vector<Send> sends;
  std::vector<Receive> receives;
  std::size_t half = 0;   // bytes from the values of one exchange to those of the next one
  std::size_t bytes = 0;  // of the own area
  std::string failure;    // of this rank; empty: none

  /// Collective.
  OneSidedPlan(const HaloPlan& plan, std::size_t bytes_of_face, const Communicator& comm);
  OneSidedPlan() = default;
};

}  // namespace dgtd::parallel
