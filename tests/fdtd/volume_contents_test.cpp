// Kernels of passes over a volume grid: groups of tiles, whatever they contain, are served by exactly those of the
// list.
#include "fdtd/steps/passes/volume_contents.hpp"

#include <gtest/gtest.h>

#include <set>

namespace dgtd::fdtd {
namespace {

// [half precision]
const std::set<VolumeTileContent> listed[2] = {{
#define DGTD_VOLUME_KERNEL(name, ...) VolumeTileContent{__VA_ARGS__},
#define DGTD_VOLUME_KERNEL_SINGLE DGTD_VOLUME_KERNEL
#include "fdtd/steps/passes/volume_kernel_list.hpp"
                                               },
                                               {
#define DGTD_VOLUME_KERNEL(name, ...) VolumeTileContent{__VA_ARGS__},
#define DGTD_VOLUME_KERNEL_SINGLE(name, ...)
#include "fdtd/steps/passes/volume_kernel_list.hpp"
                                               }};

TEST(VolumeContents, AreThoseOfTheListedKernels) {
  const GridLayout layout(64, 16, 64);
  const VolumeRegion all{{0, 0, 0}, {64, 16, 64}};
  for (const bool half : {false, true}) {
    std::set<VolumeTileContent> served;
    for (int bits = 0; bits < (half ? 512 : 1024); ++bits) {
      const auto bit = [&](int n) { return (bits >> n & 1) != 0; };
      VolumeContents::CellsOfAxes layered, damped;
      for (std::size_t a = 0; a < 3; ++a) {
        layered[a].assign(static_cast<std::size_t>(layout.cells[a]), false);
        damped[a] = layered[a];
        layered[a][0] = bit(static_cast<int>(a));
      }
      damped[0][5] = bit(3);
      VolumeContents contents(layout, layered, damped, half ? 2 : 1);
      if (bit(4))
        contents.in_tile(bit(5) ? 1 : 7, 0, 0) = VolumeContents::own_media | (bit(6) ? VolumeContents::lossy : 0);
      if (bit(7)) contents.use_Cb(4);
      else contents.use_few_classes();
      served.insert(contents.served(all, bit(8) || bit(9), bit(9)));
    }
    EXPECT_EQ(served, listed[half]);
  }
}

}  // namespace
}  // namespace dgtd::fdtd
