#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_layers_y() {
  return volume_kernel_of<HalfPair, VolumeTileContent{.layers = 2}>();
}
