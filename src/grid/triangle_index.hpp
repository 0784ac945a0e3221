#pragma once
// Search structures for a surface of many triangles: columns, which find the triangles on a line, and a raster, which
// knows most points and boxes to be outside or inside.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

/// Lists of triangles on a raster of the plane across an axis.
class Columns {
 public:
  Columns() = default;
  Columns(const std::vector<Bounds>& boxes, const Bounds& all, int axis) : across_{(axis + 1) % 3, (axis + 2) % 3} {
    const double extent[2] = {all.high[across_[0]] - all.low[across_[0]], all.high[across_[1]] - all.low[across_[1]]};
    const double edge =
        std::sqrt(extent[0] * extent[1] / double(boxes.size()));  // so that a square holds a few triangles
    for (int i : {0, 1}) {
      low_[i] = all.low[across_[i]];
      n_[i] = static_cast<int>(std::clamp(std::ceil(extent[i] / edge), 1.0, 4096.0));
      inverse_[i] = n_[i] / extent[i];
    }
    // Counted first, then filled: [square] first entry in triangles_.
    first_.assign(std::size_t(n_[0]) * n_[1] + 1, 0);
    const auto over = [&](const auto& f) {
      for (std::size_t t = 0; t < boxes.size(); ++t)
        for_each_square(boxes[t], [&](std::size_t square) { f(square, static_cast<int>(t)); });
    };
    over([&](std::size_t square, int) { ++first_[square + 1]; });
    for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
    triangles_.resize(first_.back());
    std::vector<std::size_t> at(first_.begin(), first_.end() - 1);
    over([&](std::size_t square, int t) { triangles_[at[square]++] = t; });
  }

  /// f(triangle) for those in the squares that a box touches, some more than once; until it is true.
  template <class Function>
  bool any_near(const Bounds& box, const Function& f) const {
    bool found = false;
    for_each_square(box, [&](std::size_t square) {
      for (std::size_t i = first_[square]; i < first_[square + 1] && !found; ++i) found = f(triangles_[i]);
    });
    return found;
  }

 private:
  template <class Function>
  void for_each_square(const Bounds& box, const Function& f) const {
    int from[2], to[2];
    for (int i : {0, 1}) {
      from[i] = square_of(i, box.low[across_[i]]);
      to[i] = square_of(i, box.high[across_[i]]);
    }
    for (int j = from[1]; j <= to[1]; ++j)
      for (int i = from[0]; i <= to[0]; ++i) f(std::size_t(j) * n_[0] + i);
  }
  int square_of(int i, double x) const {
    return static_cast<int>(std::clamp((x - low_[i]) * inverse_[i], 0.0, n_[i] - 1.0));
  }

  int across_[2] = {0, 0}, n_[2] = {0, 0};
  double low_[2] = {0, 0}, inverse_[2] = {0, 0};  // m, 1/m
  std::vector<std::size_t> first_;
  std::vector<int> triangles_;
};

/// A raster of cubes around a body, which says of most points and boxes at once whether they lie inside.
class Raster {
 public:
  enum State : std::uint8_t { outside, within, cut };

  Raster() = default;
  /// inside(x): of a point. Cubes that a triangle's box touches are cut.
  template <class Inside>
  Raster(const std::vector<Bounds>& boxes, const Bounds& all, const Inside& inside) : low_(all.low) {
    const Vec3 size = all.high - all.low;
    const double cubes = std::clamp(16.0 * double(boxes.size()), 1e3, 4e6),
                 edge = std::cbrt(size.x * size.y * size.z / cubes);
    for (int a = 0; a < 3; ++a) {
      n_[a] = static_cast<int>(std::clamp(std::ceil(size[a] / edge), 1.0, 1000.0));
      inverse_[a] = n_[a] / size[a];
    }
    state_.assign(std::size_t(n_[0]) * n_[1] * n_[2], outside);
    for (const Bounds& box : boxes)
      (void)all_of(
          box, [](State& s) { return s = cut, true; }, state_);
    // Along x the state changes only across cubes that are cut.
    for (int k = 0; k < n_[2]; ++k)
      for (int j = 0; j < n_[1]; ++j) {
        State* const row = state_.data() + (std::size_t(k) * n_[1] + j) * n_[0];
        for (int i = 0; i < n_[0]; ++i)
          if (row[i] != cut)
            row[i] = i > 0 && row[i - 1] != cut ? row[i - 1]
                     : inside(low_ + Vec3{(i + 0.5) / inverse_.x, (j + 0.5) / inverse_.y, (k + 0.5) / inverse_.z})
                         ? within
                         : outside;
      }
  }

  /// State of the whole box, or `cut` where that needs a closer test. The box must not extend beyond the body's bounds.
  State of(const Bounds& box) const {
    State state = cut;
    bool first = true;
    const bool same = all_of(
        box,
        [&](State s) {
          if (first) state = s;
          first = false;
          return s == state && s != cut;
        },
        state_);
    return same ? state : cut;
  }

 private:
  /// f(state) is true for all cubes that the box touches.
  template <class Function, class States>
  bool all_of(const Bounds& box, const Function& f, States& states) const {
    int from[3], to[3];
    for (int a = 0; a < 3; ++a) {
      from[a] = static_cast<int>(std::clamp((box.low[a] - low_[a]) * inverse_[a] - 1e-6, 0.0, n_[a] - 1.0));
      to[a] = static_cast<int>(std::clamp((box.high[a] - low_[a]) * inverse_[a] + 1e-6, 0.0, n_[a] - 1.0));
    }
    for (int k = from[2]; k <= to[2]; ++k)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int i = from[0]; i <= to[0]; ++i)
          if (!f(states[(std::size_t(k) * n_[1] + j) * n_[0] + i])) return false;
    return true;
  }

  Vec3 low_, inverse_;  // m, 1/m
  int n_[3] = {0, 0, 0};
  std::vector<State> state_;  // [z][y][x]
};

}  // namespace dgtd::grid
