#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_damped() {
  return volume_kernel_of<float, 0, TileMedia::classes, false, true>();
}
