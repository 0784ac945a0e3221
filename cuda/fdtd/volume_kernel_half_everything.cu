#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_everything() {
  return volume_kernel_of<HalfPair, 7, TileMedia::classes, true, true>();
}
