#pragma once
// The kernels of passes over a volume grid, by what a group of tiles contains (volume_tile.hpp).
#include <cuda.h>
#include <cuda_runtime.h>

#include "dgtd/fdtd/kernels/volume_view.hpp"

namespace dgtd::fdtd {

inline constexpr int steps_of_volume_pass = 4;

struct VolumeKernel {
  VolumeTileContent content;
  const void* function;  // (electric map, magnetic map, view)
  std::size_t shared_bytes;
};

/// The kernel of that content for fields that are stored so; function is null where there is none.
template <class Stored>
VolumeKernel find_volume_kernel(const VolumeTileContent& content);

/// Columns and rows that a copied plane of a tile has.
struct VolumeBox {
  std::uint32_t columns, rows;
};
template <class Stored>
inline constexpr VolumeBox box_of_volume_pass{VolumeTileShape::columns + 4, VolumeTileShape::rows_of_group + 1};
template <>
inline constexpr VolumeBox box_of_volume_pass<Half>{VolumeTileShape::columns + 8, 2 * VolumeTileShape::rows_of_group};

// One per kernel: each in a source of its own, since they take long to compile.
#define DGTD_VOLUME_KERNEL(name, ...)  \
  VolumeKernel volume_kernel_##name(); \
  VolumeKernel volume_kernel_half_##name();
#define DGTD_VOLUME_KERNEL_SINGLE(name, ...) VolumeKernel volume_kernel_##name();
#include "fdtd/steps/passes/volume_kernel_list.hpp"

}  // namespace dgtd::fdtd
