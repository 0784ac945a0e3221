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

// Each in a file of its own, since they take long to compile.
VolumeKernel volume_kernel_plain();
VolumeKernel volume_kernel_mixed();
VolumeKernel volume_kernel_sourced();
VolumeKernel volume_kernel_sourced_z();
VolumeKernel volume_kernel_layers_x();
VolumeKernel volume_kernel_layers_y();
VolumeKernel volume_kernel_layers_xy();
VolumeKernel volume_kernel_layers_z();
VolumeKernel volume_kernel_layers_xz();
VolumeKernel volume_kernel_layers_yz();
VolumeKernel volume_kernel_layers_all();
VolumeKernel volume_kernel_mixed_x();
VolumeKernel volume_kernel_mixed_y();
VolumeKernel volume_kernel_mixed_z();
VolumeKernel volume_kernel_mixed_few();
VolumeKernel volume_kernel_mixed_few_x();
VolumeKernel volume_kernel_mixed_few_y();
VolumeKernel volume_kernel_damped();
VolumeKernel volume_kernel_damped_z();
VolumeKernel volume_kernel_everything();
VolumeKernel volume_kernel_cb();
VolumeKernel volume_kernel_cb_damped();
VolumeKernel volume_kernel_by_plane();
VolumeKernel volume_kernel_by_plane_damped();
VolumeKernel volume_kernel_cb_damped_z();
VolumeKernel volume_kernel_cb_sourced();

// In half precision; the others' contents have one of these.
VolumeKernel volume_kernel_half_plain();
VolumeKernel volume_kernel_half_mixed();
VolumeKernel volume_kernel_half_damped();
VolumeKernel volume_kernel_half_sourced();
VolumeKernel volume_kernel_half_layers_x();
VolumeKernel volume_kernel_half_layers_y();
VolumeKernel volume_kernel_half_layers_xy();
VolumeKernel volume_kernel_half_layers_xz();
VolumeKernel volume_kernel_half_layers_yz();
VolumeKernel volume_kernel_half_layers_z();
VolumeKernel volume_kernel_half_layers_all();
VolumeKernel volume_kernel_half_damped_z();
VolumeKernel volume_kernel_half_sourced_z();
VolumeKernel volume_kernel_half_everything();
VolumeKernel volume_kernel_half_cb();
VolumeKernel volume_kernel_half_cb_damped();
VolumeKernel volume_kernel_half_by_plane();
VolumeKernel volume_kernel_half_by_plane_damped();
VolumeKernel volume_kernel_half_cb_damped_z();
VolumeKernel volume_kernel_half_cb_sourced();

}  // namespace dgtd::fdtd
