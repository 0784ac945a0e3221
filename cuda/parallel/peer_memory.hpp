#pragma once
// Device memory that the other ranks of a host map and write (CUDA IPC).
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Memory of this rank's device. Its construction is collective.
class SharedArea {
 public:
  /// Zeroed. Throws Error (out_of_memory, device) on every rank.
  SharedArea(std::size_t bytes, const Communicator& comm, cudaStream_t stream);
  /// Waits for the stream. The memory is kept, since neighbours may still map it: the next construction with the same
  /// ranks, which all ranks reach after they have destroyed theirs, releases it.
  ~SharedArea();
  SharedArea(const SharedArea&) = delete;
  SharedArea& operator=(const SharedArea&) = delete;
  std::byte* data() const { return data_; }
  /// By which another process maps it.
  cudaIpcMemHandle_t handle() const;
  /// Those of all ranks. Collective.
  std::vector<cudaIpcMemHandle_t> handles(const Communicator& comm) const;

 private:
  MPI_Comm comm_;
  cudaStream_t stream_;
  std::byte* data_ = nullptr;
};

/// Areas of neighbours, mapped into this process until destruction.
class MappedAreas {
 public:
  MappedAreas() = default;
  ~MappedAreas();
  MappedAreas(const MappedAreas&) = delete;
  MappedAreas& operator=(const MappedAreas&) = delete;
  /// Maps the area of a rank once; null where the driver cannot, and why_not() says why.
  std::byte* map(int rank, const cudaIpcMemHandle_t& handle);
  const std::string& why_not() const { return why_not_; }

 private:
  std::map<int, std::byte*> areas_;
  std::string why_not_;
};

/// Empty where all ranks are on one host, and their devices map and write each other's memory: tried, with flags.
/// Collective, the same on all ranks but for the words.
std::string why_no_peer_memory(const Communicator& comm);

}  // namespace dgtd::parallel
