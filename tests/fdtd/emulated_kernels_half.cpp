#include "emulated_kernel_of.hpp"

namespace dgtd::fdtd {

template <>
EmulatedVolumeKernel find_emulated_kernel<Half>(const VolumeTileContent& content) {
  return one_of(
      {
#define DGTD_VOLUME_KERNEL(name, ...) emulated_kernel_of<HalfPair, VolumeTileContent{__VA_ARGS__}>,
#define DGTD_VOLUME_KERNEL_SINGLE(name, ...)
#include "fdtd/steps/passes/volume_kernel_list.hpp"
      },
      content);
}

}  // namespace dgtd::fdtd
