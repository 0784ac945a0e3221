#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_plain() { return volume_kernel_of<float, VolumeTileContent{}>(); }
