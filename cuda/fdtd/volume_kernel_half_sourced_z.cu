#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_sourced_z() {
  return volume_kernel_of<HalfPair, 4, TileMedia::classes, true, true>();
}
