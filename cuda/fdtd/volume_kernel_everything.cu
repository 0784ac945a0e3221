#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_everything() {
  return volume_kernel_of<float, 7, TileMedia::classes, true, true>();
}
