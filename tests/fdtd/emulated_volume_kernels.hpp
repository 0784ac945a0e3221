#pragma once
// Tiles of passes over a volume grid (cuda/fdtd/volume_tile.hpp) on an emulated device.
#include "support/emulated_device/cuda.h"

#include "dgtd/fdtd/kernels/volume_view.hpp"

namespace dgtd::fdtd {

struct EmulatedVolumeKernel {
  VolumeTileContent content;
  int columns, rows;  // that a copied plane of a tile has
  // The task of that number.
  void (*run)(const CUtensorMap& electric_map, const CUtensorMap& magnetic_map, const VolumeView& view, unsigned task,
              unsigned seed);
};

/// The kernel of that content for fields that are stored so; throws std::logic_error where there is none.
template <class Stored>
EmulatedVolumeKernel find_emulated_kernel(const VolumeTileContent& content);

}  // namespace dgtd::fdtd
