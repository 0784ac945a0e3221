#pragma once
// NVSHMEM's host library, loaded when the program runs: a node without it can still run the program. Its headers are
// not needed; declared here is the interface that all releases 3.x have (nvshmem_types.h, nvshmemx_api.h).
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

struct NvshmemUniqueId {
  int version = (1 << 16) + 128;
  char internal[124] = {};
};
struct NvshmemInitAttributes {
  struct UniqueIdArguments {
    int version = (1 << 16) + 24;
    NvshmemUniqueId* id = nullptr;
    int rank = -1, ranks = -1;
  };
  struct Arguments {
    int version = (1 << 16) + 128;
    UniqueIdArguments unique_id;
    char content[96] = {};
  };
  int version = (1 << 16) + 144;
  void* mpi_comm = nullptr;
  Arguments arguments;
};
static_assert(sizeof(NvshmemUniqueId) == 128 && sizeof(NvshmemInitAttributes::Arguments) == 128 &&
              sizeof(NvshmemInitAttributes) == 144);

struct NvshmemLibrary {
  static constexpr unsigned init_with_unique_id = 1u << 3;
  static constexpr int signal_set = 9, compare_greater_equal = 5;

  std::string why_not;  // empty where it is loaded
  int (*get_unique_id)(NvshmemUniqueId*) = nullptr;
  int (*set_unique_id)(int rank, int ranks, const NvshmemUniqueId*, NvshmemInitAttributes*) = nullptr;
  int (*init)(unsigned flags, NvshmemInitAttributes*) = nullptr;
  void* (*calloc)(std::size_t count, std::size_t size) = nullptr;
  void (*free)(void*) = nullptr;
  void (*put_signal)(void* to, const void* from, std::size_t bytes, std::uint64_t* signal, std::uint64_t value,
                     int operation, int rank, cudaStream_t) = nullptr;
  void (*signal)(std::uint64_t* signal, std::uint64_t value, int operation, int rank, cudaStream_t) = nullptr;
  void (*wait_for_signal)(std::uint64_t* signal, int compare, std::uint64_t value, cudaStream_t) = nullptr;
};
const NvshmemLibrary& nvshmem_library();

/// Empty where it works for these ranks, as far as this rank knows. Collective.
std::string why_no_nvshmem(const Communicator& comm);

/// Memory of the same size on all ranks, which each of them can write.
class SymmetricArea {
 public:
  /// Zeroed; of the most bytes that a rank asks for. Starts NVSHMEM at the first call. Collective. Throws Error.
  SymmetricArea(std::size_t bytes, const Communicator& comm);
  /// Collective, unless an error has been thrown.
  ~SymmetricArea();
  SymmetricArea(const SymmetricArea&) = delete;
  SymmetricArea& operator=(const SymmetricArea&) = delete;
  /// On this rank; the argument that means the same place on others.
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

}  // namespace dgtd::parallel
