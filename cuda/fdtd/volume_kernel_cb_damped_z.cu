#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_cb_damped_z() {
  return volume_kernel_of<float, VolumeTileContent{.layers = 4, .media = TileMedia::Cb, .damped = true}>();
}
