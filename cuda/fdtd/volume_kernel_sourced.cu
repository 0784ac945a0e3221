#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_sourced() {
  return volume_kernel_of<float, VolumeTileContent{.media = TileMedia::classes, .sourced = true, .damped = true}>();
}
