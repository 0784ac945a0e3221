#include "cuda_mass_average.hpp"

#include <cmath>

#include "../parallel/cuda_launch.hpp"
#include "../parallel/cuda_memory.hpp"
#include "../parallel/cuda_streams.hpp"
#include "averaging_on.hpp"

namespace dgtd::dosimetry {

namespace {

class DeviceBackend {
 public:
  static constexpr int voxels_together = 4;
  parallel::Memory& memory() { return memory_; }
  static std::int64_t row_width(std::int64_t) { return 1; }
  template <class Body>
  void for_each(std::int64_t n, const Body& body) const {
    parallel::launch_each(n, body, stream_.get());
  }
  template <class Body>
  void for_uneven(std::int64_t n, const Body& body) const {
    for_each(n, body);
  }
  void wait() const { DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_.get())); }

 private:
  parallel::CudaStream stream_{0};
  parallel::CudaMemory memory_{stream_.get()};
};

// The table and three fields of maxima per voxel of the box; lists, cubes and results per tissue voxel, at most all.
double bytes_needed(const VoxelGrid& voxels) {
  constexpr double per_voxel = 44, per_tissue_voxel = 51;
  return (per_voxel + per_tissue_voxel) * double(tissue_box(voxels).cells());
}

}  // namespace

std::string why_not_on_device(const VoxelGrid& voxels) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    return "no CUDA device";
  }
  std::size_t free = 0, total = 0;
  DGTD_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const auto megabytes = [](double bytes) { return std::to_string(std::llround(bytes / 1e6)) + " MB"; };
  if (const double needed = bytes_needed(voxels); needed > double(free))
    return megabytes(needed) + " are needed on the device, and " + megabytes(double(free)) + " are free";
  return {};
}

std::vector<AveragedSar> average_on_device(const VoxelGrid& voxels, const std::vector<double>& masses) {
  DeviceBackend backend;
  return average_on(backend, voxels, masses);
}

}  // namespace dgtd::dosimetry
