#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_rates_z() {
  return volume_kernel_of<HalfPair, 4, TileMedia::rates, false>();
}
