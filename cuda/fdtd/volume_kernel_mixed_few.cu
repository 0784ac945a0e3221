#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_mixed_few() {
  return volume_kernel_of<float, VolumeTileContent{.media = TileMedia::few_classes}>();
}
