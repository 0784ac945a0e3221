#pragma once
// The tasks of passes over a volume grid: tiles along x and y, and where the columns of planes are cut along z.
#include <vector>

#include "fdtd/steps/passes/volume_contents.hpp"
#include "fdtd/steps/passes/volume_source_lists.hpp"

namespace dgtd::fdtd {

/// Boundaries of tiles along an axis of n cells: 0, ..., n. The first and the last tile may have `most_at_end` cells,
/// others `most`; inner boundaries are multiples of `unit`.
std::vector<int> tile_boundaries(int n, int most, int most_at_end, int unit);

/// The columns of cells that tiles store.
class VolumeTiling {
 public:
  /// For passes of so many steps. row_groups: numbers in a word of a tile.
  VolumeTiling(const GridLayout& layout, int steps, int row_groups);

  int steps() const { return steps_; }
  int tiles(int axis) const { return static_cast<int>(boundaries_[axis].size()) - 1; }
  /// The first cell of the n-th tile along x or y, which may be before the first one that it stores.
  int start(int axis, int n) const;
  /// The planes first <= plane < end of a tile.
  VolumeTask task(int tile_x, int tile_y, int first, int end) const;
  VolumeRegion region_of(const VolumeTask& task) const;

 private:
  const GridLayout& layout_;
  const int steps_;
  std::vector<int> boundaries_[2];  // along x and y
};

/// All tasks, whose sources are yet to be listed. multiprocessors: tiles at once.
std::vector<VolumeTask> volume_tasks(const VolumeTiling& tiling, const GridLayout& layout,
                                     const VolumeContents& contents, const VolumeSourceLists& sources,
                                     int multiprocessors);

}  // namespace dgtd::fdtd
