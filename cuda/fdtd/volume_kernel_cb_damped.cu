#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_cb_damped() {
  return volume_kernel_of<float, VolumeTileContent{.media = TileMedia::Cb, .damped = true}>();
}
