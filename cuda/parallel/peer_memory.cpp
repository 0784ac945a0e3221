#include "peer_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <vector>

#include "cuda_check.hpp"
#include "dgtd/base/error.hpp"
#include "stream_flags.hpp"

namespace dgtd::parallel {

namespace {

// Small allocations share pages; a mapped one has its own.
constexpr std::size_t page = std::size_t{2} << 20;

struct RetiredArea {
  MPI_Comm comm;
  std::byte* data;
};
std::vector<RetiredArea>& retired_areas() {
  static std::vector<RetiredArea> areas;
  return areas;
}

void release_retired_areas(const Communicator& comm) {
  comm.barrier();
  std::erase_if(retired_areas(), [&](const RetiredArea& area) {
    if (area.comm != comm.handle()) return false;
    (void)cudaFree(area.data);
    return true;
  });
}

struct Stream {
  cudaStream_t stream = nullptr;
  Stream() { DGTD_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { (void)cudaStreamDestroy(stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

}  // namespace

SharedArea::SharedArea(std::size_t bytes, const Communicator& comm, cudaStream_t stream)
    : comm_(comm.handle()), stream_(stream) {
  release_retired_areas(comm);
  bytes = std::max<std::size_t>(1, (bytes + page - 1) / page) * page;
  cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&data_), bytes);
  if (status == cudaSuccess) status = cudaMemsetAsync(data_, 0, bytes, stream_);
  if (status == cudaSuccess) status = cudaStreamSynchronize(stream_);
  const bool all = comm.min(std::int64_t{status == cudaSuccess}) != 0;
  if (all) return;
  (void)cudaFree(data_);
  DGTD_CUDA_CHECK(status);
  throw Error(ExitCode::out_of_memory, "another rank has no memory for halos on its device");
}

SharedArea::~SharedArea() {
  (void)cudaStreamSynchronize(stream_);
  retired_areas().push_back({comm_, data_});
}

cudaIpcMemHandle_t SharedArea::handle() const {
  cudaIpcMemHandle_t handle{};
  DGTD_CUDA_CHECK(cudaIpcGetMemHandle(&handle, data_));
  return handle;
}

std::vector<cudaIpcMemHandle_t> SharedArea::handles(const Communicator& comm) const {
  const cudaIpcMemHandle_t mine = handle();
  std::vector<cudaIpcMemHandle_t> all(static_cast<std::size_t>(comm.size()));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm.handle());
  return all;
}

MappedAreas::~MappedAreas() {
  for (const auto& [rank, area] : areas_)
    if (area != nullptr) (void)cudaIpcCloseMemHandle(area);
}

std::byte* MappedAreas::map(int rank, const cudaIpcMemHandle_t& handle) {
  if (const auto known = areas_.find(rank); known != areas_.end()) return known->second;
  void* area = nullptr;
  const cudaError_t status = cudaIpcOpenMemHandle(&area, handle, cudaIpcMemLazyEnablePeerAccess);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    area = nullptr;
    why_not_ = fmt::format("the device memory of rank {} cannot be mapped: {}", rank, cudaGetErrorString(status));
  }
  return areas_[rank] = static_cast<std::byte*>(area);
}

namespace {

// Every rank writes a flag into the memory of the ranks after it, as many as there are devices, and looks for those of
// the ranks before it. Returns what failed on this rank.
std::string try_peer_memory(const Communicator& comm) {
  const Stream stream;
  const int size = comm.size(), rank = comm.rank();
  std::string failure;
  int devices = 0;
  DGTD_CUDA_CHECK(cudaGetDeviceCount(&devices));
  const int partners = std::min(size - 1, static_cast<int>(comm.max(std::int64_t{devices})));
  const SharedArea area(sizeof(Flag) * std::size_t(partners + 1), comm, stream.stream);
  cudaIpcMemHandle_t mine{};
  if (const cudaError_t status = cudaIpcGetMemHandle(&mine, area.data()); status != cudaSuccess) {
    (void)cudaGetLastError();
    failure = fmt::format("device memory cannot be exported: {}", cudaGetErrorString(status));
  }
  std::vector<cudaIpcMemHandle_t> handles(size);
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, handles.data(), sizeof mine, MPI_BYTE, comm.handle());
  if (comm.min(std::int64_t{failure.empty()}) == 0) return failure.empty() ? "not on another rank" : failure;

  MappedAreas others;
  try {
    for (int k = 1; k <= partners && failure.empty(); ++k) {
      std::byte* const other = others.map((rank + k) % size, handles[(rank + k) % size]);
      failure = others.why_not();
      if (other != nullptr) write_flag(stream.stream, reinterpret_cast<Flag*>(other) + k, static_cast<Flag>(k));
    }
    DGTD_CUDA_CHECK(cudaStreamSynchronize(stream.stream));
  } catch (const Error& error) { failure = error.what(); }
  comm.barrier();
  try {
    std::vector<Flag> flags(partners + 1);
    DGTD_CUDA_CHECK(cudaMemcpy(flags.data(), area.data(), flags.size() * sizeof(Flag), cudaMemcpyDeviceToHost));
    for (int k = 1; k <= partners && failure.empty(); ++k)
      if (flags[k] != static_cast<Flag>(k))
        failure = fmt::format("a flag of rank {} did not arrive", (rank + size - k) % size);
    // On a flag that is set, so that nothing waits for ever.
    if (failure.empty()) wait_for_flag(stream.stream, reinterpret_cast<const Flag*>(area.data()), 0);
    DGTD_CUDA_CHECK(cudaStreamSynchronize(stream.stream));
  } catch (const Error& error) { failure = error.what(); }
  const bool all = comm.min(std::int64_t{failure.empty()}) != 0;
  return all || !failure.empty() ? failure : "not on another rank";
}

}  // namespace

std::string why_no_peer_memory(const Communicator& comm) {
  const bool one_host = comm.is_on_one_host();
  if (comm.min(std::int64_t{one_host}) == 0) return "the ranks are on several hosts";
  if (comm.min(std::int64_t{why_no_stream_flags().empty()}) == 0)
    return why_no_stream_flags().empty() ? "not on another rank" : why_no_stream_flags();
  return try_peer_memory(comm);
}

}  // namespace dgtd::parallel
