#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_cb() {
  return volume_kernel_of<float, VolumeTileContent{.media = TileMedia::Cb}>();
}
