#include "emulated_kernel_of.hpp"

namespace dgtd::fdtd {

// The contents of cuda/fdtd/volume_kernel_*.cu.
template <>
EmulatedVolumeKernel find_emulated_kernel<float>(const VolumeTileContent& content) {
  constexpr auto classes = TileMedia::classes, few = TileMedia::few_classes, Cb = TileMedia::Cb;
  return one_of<float, VolumeTileContent{}, VolumeTileContent{1}, VolumeTileContent{2}, VolumeTileContent{3},
                VolumeTileContent{4}, VolumeTileContent{5}, VolumeTileContent{6}, VolumeTileContent{7},
                VolumeTileContent{0, classes}, VolumeTileContent{0, few}, VolumeTileContent{1, few},
                VolumeTileContent{2, few}, VolumeTileContent{1, classes}, VolumeTileContent{2, classes},
                VolumeTileContent{4, classes}, VolumeTileContent{0, classes, false, true},
                VolumeTileContent{4, classes, false, true}, VolumeTileContent{0, classes, true, true},
                VolumeTileContent{4, classes, true, true}, VolumeTileContent{7, classes, true, true},
                VolumeTileContent{0, Cb}, VolumeTileContent{0, Cb, false, true}, VolumeTileContent{4, Cb, false, true},
                VolumeTileContent{0, Cb, true, true}, VolumeTileContent{4, Cb, false, false, true},
                VolumeTileContent{4, Cb, false, true, true}>(content);
}

}  // namespace dgtd::fdtd
