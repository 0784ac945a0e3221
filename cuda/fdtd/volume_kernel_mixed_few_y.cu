#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_mixed_few_y() {
  return volume_kernel_of<float, VolumeTileContent{.layers = 2, .media = TileMedia::few_classes}>();
}
