#pragma once
// NCCL, loaded when the program runs: a node without it can still run the program.
#include <string>

#if __has_include(<nccl.h>)
#define DGTD_NCCL 1
#include <nccl.h>

namespace dgtd::parallel {

struct NcclLibrary {
  std::string why_not;  // empty where it is loaded
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) comm_init_rank = nullptr;
  decltype(&ncclCommDestroy) comm_destroy = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
};
const NcclLibrary& nccl_library();

}  // namespace dgtd::parallel
#else
#define DGTD_NCCL 0
#endif
