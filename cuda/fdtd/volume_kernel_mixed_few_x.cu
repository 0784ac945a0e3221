#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_mixed_few_x() {
  return volume_kernel_of<float, VolumeTileContent{.layers = 1, .media = TileMedia::few_classes}>();
}
