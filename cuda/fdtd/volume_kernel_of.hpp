#pragma once
// Makes a kernel's entry in the table of volume_kernels.hpp.
#include "volume_kernels.hpp"
#include "volume_tile_update.hpp"

namespace dgtd::fdtd {

template <class Number, VolumeTileContent content>
VolumeKernel volume_kernel_of() {
  using Kind = VolumeTileKind<Number, steps_of_volume_pass, content>;
  using Memory = VolumeTileMemory<Kind>;
  constexpr VolumeBox box = box_of_volume_pass<typename Kind::Numbers::Stored>;
  static_assert(box.columns == Memory::staged_columns && box.rows == Memory::staged_rows);
  static_assert(sizeof(Memory) <= most_shared_bytes, "shared memory of a thread block");
  return {content, reinterpret_cast<const void*>(&volume_kernel<Kind>), sizeof(Memory)};
}

}  // namespace dgtd::fdtd
