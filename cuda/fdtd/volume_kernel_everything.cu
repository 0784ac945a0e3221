#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_everything() { return volume_kernel_of<7, true, true, true>(); }
