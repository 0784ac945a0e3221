#pragma once
// The kernels of batches by their traits, for the CPU and for GPUs: a fold over the list of trait sets (traits.hpp).
#include <array>
#include <utility>

#include "dgtd/dg/traits.hpp"

namespace dgtd::dg {

/// Kernel: a function that performs a stage of the half step of a batch.
template <class Kernel>
struct StageKernels {
  std::array<Kernel, kernel_traits.size()> fused;  // [kernel_index]
  // Split kernels:
  Kernel volume;                                     // intVolume
  std::array<Kernel, kernel_traits.size()> surface;  // [kernel_index] intSurface
  std::array<Kernel, kernel_traits.size()> field;    // [kernel_index] updateField

  /// Calls run(kernel) for each stage of the half step of a batch that is served by kernels of these traits.
  template <class Run>
  void for_each(const KernelTraits& traits, bool split, const Run& run) const {
    const std::size_t i = kernel_index(traits);
    if (!split) return run(fused[i]);
    run(volume), run(surface[i]), run(field[i]);
  }
};

/// Stages: fused<traits>, volume, surface<traits>, field<traits>, the kernels of one order and precision.
template <class Kernel, class Stages>
StageKernels<Kernel> stage_kernels() {
  return []<std::size_t... i>(std::index_sequence<i...>)->StageKernels<Kernel> {
    return {{Stages::template fused<kernel_traits[i]>...},
            Stages::volume,
            {Stages::template surface<surface_traits(kernel_traits[i])>...},
            {Stages::template field<field_traits(kernel_traits[i])>...}};
  }
  (std::make_index_sequence<kernel_traits.size()>{});
}

}  // namespace dgtd::dg
