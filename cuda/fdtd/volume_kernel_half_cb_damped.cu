#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_cb_damped() {
  return volume_kernel_of<HalfPair, VolumeTileContent{.media = TileMedia::Cb, .damped = true}>();
}
