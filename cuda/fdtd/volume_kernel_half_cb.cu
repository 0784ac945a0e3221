#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_cb() {
  return volume_kernel_of<HalfPair, VolumeTileContent{.media = TileMedia::Cb}>();
}
