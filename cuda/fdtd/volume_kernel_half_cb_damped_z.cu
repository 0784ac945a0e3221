#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_cb_damped_z() {
  return volume_kernel_of<HalfPair, VolumeTileContent{.layers = 4, .media = TileMedia::Cb, .damped = true}>();
}
