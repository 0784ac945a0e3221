#pragma once
// The largest value of all boxes that contain a voxel, for every voxel of a grid.
//
// A length n is covered by two overlapping ones of 2^l <= n. So a box is covered by eight dyadic ones, whose maxima are
// noted at their lower corners, one level after the other; each level is then handed down to the next, axis by axis.
// Work: eight notes per box, and one pass over the grid per level, axis and combination of levels that occurs. Maxima
// do not depend on the order in which threads take them.
#include <array>
#include <vector>

#include "dgtd/dosimetry/kernels/averaging_bodies.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dosimetry {

/// B: as AveragingOn's.
template <class B>
class EnclosedMaximum {
 public:
  /// [count] boxes with values that are not negative. The backend outlives this.
  EnclosedMaximum(B& backend, const std::array<std::int64_t, 3>& cells, const EnclosedBox* box, const float* value,
                  std::int64_t count)
      : backend_(backend), cells_(cells), box_(box), value_(value), count_(count) {
    for (auto& field : fields_)
      field =
          parallel::Array<std::uint32_t>(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]), backend.memory());
    parallel::Array<std::uint8_t> occurs(most_levels * most_levels * most_levels, backend.memory());
    levels_ = parallel::Array<std::uint16_t>(static_cast<std::size_t>(count), backend.memory());
    backend.for_each(count, LevelsOfBoxes{box, levels_.write(), occurs.write()});
    std::vector<int> combinations;
    const std::uint8_t* const occurring = occurs.host();
    for (std::size_t l = 0; l < occurs.size(); ++l)
      if (occurring[l] != 0) combinations.push_back(static_cast<int>(l));
    fold(2, combinations);
  }

  /// [nz][ny][nx] entries (entry_of); 0: no box contains the voxel. In the backend's memory.
  const std::uint32_t* entries() const { return fields_[2].read(); }

 private:
  // Sets fields_[axis] to the maxima of boxes of these combinations, of length 1 along this axis and those before it.
  void fold(int axis, const std::vector<int>& combinations) {
    bool any = false;
    for (int l = most_levels - 1; l >= 0; --l) {
      if (any) hand_down(axis, std::int64_t{1} << l);
      std::vector<int> mine;
      for (const int c : combinations)
        if (level(c, axis) == l) mine.push_back(c);
      if (mine.empty()) continue;
      std::uint32_t* const field = fields_[axis].write();
      if (!any) backend_.for_each(voxels(), Clear{field});
      any = true;
      if (axis == 0) {
        backend_.for_each(count_, NoteBoxes{box_, value_, levels_.read(), static_cast<std::uint16_t>(mine.front()),
                                            cells_[0], cells_[1], field});
        continue;
      }
      fold(axis - 1, mine);
      backend_.for_each(voxels(), RaiseAll{field, fields_[axis - 1].read()});
    }
  }

  void hand_down(int axis, std::int64_t s) {
    const std::int64_t nx = cells_[0], ny = cells_[1], width = axis == 0 ? 1 : backend_.row_width(nx);
    HandDown body{fields_[axis].write(), cells_[axis], 1, s, width, 1, nx};
    if (axis == 1) body.stride = nx, body.bundles = nx / width, body.block = nx * ny;
    if (axis == 2) body.stride = nx * ny, body.bundles = nx * ny / width, body.block = 0;
    backend_.for_each(voxels() / cells_[axis] / width, body);
  }

  std::int64_t voxels() const { return cells_[0] * cells_[1] * cells_[2]; }

  B& backend_;
  std::array<std::int64_t, 3> cells_;
  const EnclosedBox* box_;
  const float* value_;
  std::int64_t count_;
  parallel::Array<std::uint16_t> levels_;                 // [boxes]
  std::array<parallel::Array<std::uint32_t>, 3> fields_;  // [nz][ny][nx] maxima while an axis is handed down
};

}  // namespace dgtd::dosimetry
