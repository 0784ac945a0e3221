#pragma once
// Sums over the sides of a lumped port (PortSide), whose bits do not depend on which ranks have them.
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

class PortSum {
 public:
  /// number: [sides] of this rank, ascending, the same on any ranks. Collective.
  PortSum(const std::vector<std::int64_t>& number, const parallel::Communicator& comm);
  ~PortSum();
  PortSum(const PortSum&) = delete;
  PortSum& operator=(const PortSum&) = delete;

  /// Whether several ranks have sides; alike on all ranks.
  bool is_shared() const { return is_shared_; }
  /// Whether this rank is the first one that has sides. It reports what all of them have.
  bool is_first() const { return is_first_; }
  /// Sum over the sides of all ranks, in the order of their numbers; parts: [sides] of this rank. Collective over the
  /// ranks that have sides, without messages where that is one rank.
  double of(const std::vector<double>& parts) const;

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;  // ranks that have sides, where they are several
  bool is_shared_ = false, is_first_ = false;
  std::vector<std::size_t> place_;  // [sides] of this rank in the order of all
  std::size_t sides_ = 0;           // of all ranks
};

}  // namespace dgtd::dg
