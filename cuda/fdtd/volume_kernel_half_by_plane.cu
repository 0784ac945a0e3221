#include "volume_kernel_of.hpp"

dgtd::fdtd::VolumeKernel dgtd::fdtd::volume_kernel_half_by_plane() {
  return volume_kernel_of<HalfPair, VolumeTileContent{.layers = 4, .media = TileMedia::Cb, .by_plane = true}>();
}
