#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_layers_yz() {
  return volume_kernel_of<float, VolumeTileContent{.layers = 6}>();
}
