#pragma once
// Makes a kernel's entry in the table of volume_kernels.hpp.
#include "volume_kernels.hpp"
#include "volume_tile.hpp"

namespace dgtd::fdtd {

template <int layers, bool mixed, bool sourced, bool damped = false>
VolumeKernel volume_kernel_of() {
  using Kind = VolumeTileKind<float, steps_of_volume_pass, layers, mixed, sourced, damped>;
  using Memory = VolumeTileMemory<Kind>;
  static_assert(volume_box[0] == Memory::staged_columns && volume_box[1] == Memory::staged_rows);
  static_assert(sizeof(Memory) <= 232448, "shared memory of a thread block");
  return {{layers, mixed, sourced, damped}, reinterpret_cast<const void*>(&volume_kernel<Kind>), sizeof(Memory)};
}

}  // namespace dgtd::fdtd
