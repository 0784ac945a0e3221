#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_everything() {
  return volume_kernel_of<float, VolumeTileContent{
                                     .layers = 7, .media = TileMedia::classes, .sourced = true, .damped = true}>();
}
