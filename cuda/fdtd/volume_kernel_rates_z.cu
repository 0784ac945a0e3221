#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_rates_z() {
  return volume_kernel_of<float, 4, TileMedia::rates, false>();
}
