// Mass averaging by CPU threads, and the choice of what averages.
#include "dgtd/dosimetry/mass_average.hpp"

#include <fmt/format.h>

#include <cmath>

#include "averaging_on.hpp"
#include "cuda_mass_average.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::dosimetry {

namespace {

struct ThreadBackend {
  static constexpr int voxels_together = 256;
  static parallel::Memory& memory() { return parallel::host_memory(); }
  static std::int64_t row_width(std::int64_t nx) { return nx; }
  template <class Body>
  static void for_each(std::int64_t n, const Body& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
  template <class Body>
  static void for_uneven(std::int64_t n, const Body& body) {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
  static void wait() {}
};

void check_averaging(const VoxelGrid& voxels, const std::vector<double>& masses) {
  for (const double mass : masses)
    if (!(mass > 0) || !std::isfinite(mass))
      throw Error(fmt::format("SAR cannot be averaged over a mass of {} g; allowed are positive masses", mass * 1e3));
  constexpr double most_voxels = 4e9;
  if (const double count = double(tissue_box(voxels).cells()); count > most_voxels)
    throw Error(fmt::format("SAR is averaged on at most {:g} voxels, but the box around the tissue has {:g}",
                            most_voxels, count));
}

}  // namespace

std::vector<AveragedSar> average_sar(const VoxelGrid& voxels, const std::vector<double>& masses, Processor processor) {
  check_averaging(voxels, masses);
  if (processor != Processor::cpu) {
#if DGTD_CUDA
    const std::string why_not = why_not_on_device(voxels);
    if (why_not.empty()) return average_on_device(voxels, masses);
#else
    const std::string why_not = "this program was built without CUDA";
#endif
    if (processor == Processor::cuda) throw Error(ExitCode::device, "SAR cannot be averaged by CUDA: " + why_not);
  }
  ThreadBackend backend;
  return average_on(backend, voxels, masses);
}

}  // namespace dgtd::dosimetry
