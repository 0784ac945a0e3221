#pragma once
// Lists of values from every rank to every other one.
#include <mpi.h>

#include <type_traits>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// lists[r] goes to rank r. Returns what all ranks sent to this one, in the order of the ranks. Each rank sends and
/// receives fewer than 2^31 values. Collective.
template <class T>
std::vector<T> exchange_lists(const std::vector<std::vector<T>>& lists, const Communicator& comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  const int ranks = comm.size();
  std::vector<int> sends(ranks), receives(ranks), send_at(ranks), receive_at(ranks);  // values
  std::vector<T> mine;
  for (int r = 0; r < ranks; ++r) {
    send_at[r] = static_cast<int>(mine.size());
    sends[r] = static_cast<int>(lists[r].size());
    mine.insert(mine.end(), lists[r].begin(), lists[r].end());
  }
  MPI_Alltoall(sends.data(), 1, MPI_INT, receives.data(), 1, MPI_INT, comm.handle());
  int all = 0;
  for (int r = 0; r < ranks; ++r) receive_at[r] = all, all += receives[r];
  std::vector<T> theirs(static_cast<std::size_t>(all));
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(mine.data(), sends.data(), send_at.data(), type, theirs.data(), receives.data(), receive_at.data(),
                type, comm.handle());
  MPI_Type_free(&type);
  return theirs;
}

}  // namespace dgtd::parallel
