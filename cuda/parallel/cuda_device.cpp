#include "dgtd/parallel/cuda_device.hpp"

#include "cuda_check.hpp"

namespace dgtd::parallel {

CudaDevice find_cuda_device(const Communicator& comm) {
  CudaDevice device;
  const cudaError_t status = cudaGetDeviceCount(&device.count);
  if (status != cudaSuccess) {
    device.why_not = status == cudaErrorInsufficientDriver
                         ? "no CUDA device, or its driver is older than this program's CUDA"
                         : cudaGetErrorString(status);
    (void)cudaGetLastError();
    device.count = 0;
  } else if (device.count == 0) {
    device.why_not = "no CUDA device";
  }
  if (comm.min(static_cast<std::int64_t>(device.count)) == 0) {
    if (device.why_not.empty()) device.why_not = "another rank has no CUDA device";
    device.count = 0;
    return device;
  }
  device.found = true;
  device.index = comm.rank_on_this_host() % device.count;
  device.ranks_sharing = (comm.ranks_on_this_host() + device.count - 1) / device.count;
  cudaDeviceProp properties{};
  DGTD_CUDA_CHECK(cudaGetDeviceProperties(&properties, device.index));
  device.name = properties.name;
  return device;
}

void make_current(const CudaDevice& device) {
  if (device.found) DGTD_CUDA_CHECK(cudaSetDevice(device.index));
}

CudaDevice take_cuda_device(const Communicator& comm) {
  CudaDevice device = find_cuda_device(comm);
  make_current(device);
  return device;
}

// A failure returns at the first use.
ContextStart::ContextStart(const CudaDevice& device) {
  if (device.found) thread_ = std::thread([index = device.index] { (void)cudaSetDevice(index); });
}
ContextStart::~ContextStart() {
  if (thread_.joinable()) thread_.join();
}

double free_device_bytes(const CudaDevice& device) {
  std::size_t free = 0, total = 0;
  DGTD_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return double(free) / device.ranks_sharing;
}

}  // namespace dgtd::parallel
