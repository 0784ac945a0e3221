#pragma once
// The order of several time steps in one pass over a block, in place.
//
// H of plane p at stage s (step n + s) reads E of planes p and p + 1 of stage s - 1; E reads H of planes p and p - 1 of
// stage s. So for planes k upwards and stages s upwards, H and then E of plane k - s may be updated where they stand
// (time skewing: Wonnacott 2000, Int. J. Parallel Program. 28, 181): nothing is computed twice, and a cache that holds
// steps + 2 planes sees memory once for all stages. Rows are skewed alike: a group of rows moves down by a row per
// stage, groups follow each other, and the cache holds their rows only.
//
// A thread has a chunk of planes. Where another chunk or rank follows, its ranges shrink by a plane per stage; the
// wedge between two chunks (a seam) is updated when both are done, the wedge next to another rank (an edge) half step
// by half step, with exchanges between them.
#include <algorithm>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// From the first to before the end.
struct Range {
  int first, end;
};

/// Rows of one update: those of a plane, in a half step of stage s.
struct PlaneRows {
  HalfStep half;
  int stage, plane;
  Range rows;
};

struct SkewedSweep {
  int planes, rows;
  int steps;                    // stages
  int chunks;                   // of 2 steps planes at least
  int rows_together;            // of a group
  bool open_below, open_above;  // other ranks are next to the block there

  /// update(PlaneRows) for a chunk without its wedges; chunks may run side by side.
  template <class Update>
  void chunk(int c, const Update& update) const {
    const int low = first_of(c), high = first_of(c + 1);
    const bool wedge_below = c > 0 || open_below, wedge_above = c + 1 < chunks || open_above;
    for_groups([&](int group) {
      for (int k = low; k < high + steps - 1; ++k)
        for (int stage = 0; stage < steps; ++stage) {
          const int plane = k - stage, end = wedge_above ? high - 1 - stage : high;
          const int first = wedge_below ? low + stage : low;
          if (plane >= end) continue;
          if (plane >= first) visit(HalfStep::magnetic, stage, plane, group, update);
          if (plane >= (wedge_below ? first + 1 : first)) visit(HalfStep::electric, stage, plane, group, update);
        }
    });
  }
  /// The wedge between chunks c and c + 1, which are done; seams may run side by side.
  template <class Update>
  void seam(int c, const Update& update) const {
    const int middle = first_of(c + 1);
    for_groups([&](int group) {
      for (int stage = 0; stage < steps; ++stage) {
        for (int plane = middle - 1 - stage; plane < middle + stage; ++plane)
          visit(HalfStep::magnetic, stage, plane, group, update);
        for (int plane = middle - 1 - stage; plane < middle + stage + 1; ++plane)
          visit(HalfStep::electric, stage, plane, group, update);
      }
    });
  }
  /// Planes of the wedges next to other ranks, of one half step.
  Range edge_below(HalfStep half, int stage) const {
    return {0, open_below ? stage + (half == HalfStep::electric ? 1 : 0) : 0};
  }
  Range edge_above(int stage) const { return {open_above ? planes - 1 - stage : planes, planes}; }

  int first_of(int chunk) const { return static_cast<int>(static_cast<long>(planes) * chunk / chunks); }

 private:
  template <class Body>
  void for_groups(const Body& body) const {
    for (int group = 0; group * rows_together < rows; ++group) body(group);
  }
  template <class Update>
  void visit(HalfStep half, int stage, int plane, int group, const Update& update) const {
    const int end = (group + 1) * rows_together;
    const Range range{std::max(0, group * rows_together - (group > 0 ? stage : 0)),
                      end >= rows ? rows : std::max(0, end - stage)};
    if (range.first < range.end) update(PlaneRows{half, stage, plane, range});
  }
};

}  // namespace dgtd::fdtd
