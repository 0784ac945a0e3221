#pragma once
// The ranks of a run. A thin, typed face of an MPI communicator: errors become dgtd::Error.
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace dgtd::parallel {

class Communicator {
 public:
  /// Wraps a communicator that the caller keeps alive. MPI must be initialised.
  explicit Communicator(MPI_Comm comm = MPI_COMM_WORLD);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return comm_; }

  /// Counts all ranks of the host, also those of other parts: memory, cores and devices are divided by it.
  int ranks_on_this_host() const;
  int rank_on_this_host() const;
  /// Whether one host has all ranks of this communicator.
  bool is_on_one_host() const;

  void barrier() const;
  double sum(double value) const;
  double max(double value) const;
  double min(double value) const;
  std::int64_t sum(std::int64_t value) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  std::uint64_t sum(std::uint64_t value) const;  // modulo 2^64
  std::vector<double> sum(std::vector<double> values) const;
  std::vector<std::int64_t> sum(std::vector<std::int64_t> values) const;
  std::vector<double> max(std::vector<double> values) const;

  /// Root's text (or bytes) on every rank.
  std::string broadcast(std::string text) const;
  template <class T>
  T broadcast_value(T value) const {
    MPI_Bcast(&value, static_cast<int>(sizeof(T)), MPI_BYTE, 0, comm_);
    return value;
  }

  /// Values of all ranks on root, in rank order (empty elsewhere).
  std::vector<double> gather(double value) const;
  template <class T>
  std::vector<T> gather_vectors(const std::vector<T>& mine) const;

 private:
  void gather_bytes(const void* mine, std::size_t bytes, std::vector<char>& all) const;
  friend class CommunicatorPart;
  struct Place {
    int rank, ranks;  // of its host
  };
  Place place_on_host() const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
  std::optional<Place> place_in_whole_;  // of a part
};

/// One of several equal parts of the ranks, as far as that is possible; each has ranks that follow each other.
class CommunicatorPart {
 public:
  /// parts: at most the number of ranks. Collective.
  CommunicatorPart(const Communicator& whole, int parts);
  ~CommunicatorPart() { MPI_Comm_free(&handle_); }
  CommunicatorPart(const CommunicatorPart&) = delete;
  CommunicatorPart& operator=(const CommunicatorPart&) = delete;

  int number() const { return number_; }  // from 0
  const Communicator& comm() const { return comm_; }

 private:
  int number_;
  MPI_Comm handle_ = MPI_COMM_NULL;
  Communicator comm_;
};

/// Concatenation of every rank's vector on root, in rank order. T is trivially copyable.
template <class T>
std::vector<T> Communicator::gather_vectors(const std::vector<T>& mine) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<char> bytes;
  gather_bytes(mine.data(), mine.size() * sizeof(T), bytes);
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

}  // namespace dgtd::parallel
