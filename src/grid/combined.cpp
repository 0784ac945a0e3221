#include "dgtd/grid/combined.hpp"

#include <algorithm>
#include <limits>

#include "dgtd/base/error.hpp"
#include "shape.hpp"

namespace dgtd::grid {
namespace {

using geometry::Combination;

// By the functions of sets that the operands' ones are put together with, from the first operand on: `all` of a union
// is that any of them has it, and so on.
class Combined final : public Solid {
 public:
  Combined(Combination combination, std::vector<std::vector<Shape>> operands)
      : combination_(combination), operands_(std::move(operands)), bounds_(bounds_of(operands_.front())) {
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      const Bounds b = bounds_of(operands_[k]);
      for (int a = 0; a < 3; ++a) {
        if (combination_ == Combination::unite)
          bounds_.low[a] = std::min(bounds_.low[a], b.low[a]), bounds_.high[a] = std::max(bounds_.high[a], b.high[a]);
        if (combination_ == Combination::intersect)
          bounds_.low[a] = std::max(bounds_.low[a], b.low[a]), bounds_.high[a] = std::min(bounds_.high[a], b.high[a]);
      }
    }
    for (int a = 0; a < 3; ++a)
      if (!(bounds_.low[a] < bounds_.high[a])) throw Error("nothing is in all of its shapes");
  }

  Bounds bounds() const override { return bounds_; }

  bool inside(const Vec3& x) const override {
    return joined([&](std::size_t k) {
      return std::any_of(operands_[k].begin(), operands_[k].end(), [&](const Shape& s) { return grid::inside(s, x); });
    });
  }

  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    // none < part < all: a union is the largest one, an intersection the smallest; all and none of a body are none and
    // all of what is outside of it.
    const auto covered = [&](std::size_t k) {
      Cover most = Cover::none;
      for (const Shape& s : operands_[k]) most = std::max(most, grid::cover_of_box(s, centre, half));
      return most;
    };
    Cover cover = covered(0);
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      const Cover other = covered(k);
      switch (combination_) {
        case Combination::unite: cover = std::max(cover, other); break;
        case Combination::intersect: cover = std::min(cover, other); break;
        case Combination::subtract:
          cover = std::min(cover, other == Cover::none ? Cover::all : other == Cover::all ? Cover::none : Cover::part);
      }
    }
    return cover;
  }

  void add_crossings(const Vec3& x, int axis, double reach, std::vector<Interval>& to) const override {
    struct End {
      double at;
      std::size_t operand;
      int step;  // of the number of its pieces there
    };
    std::vector<End> ends;
    std::vector<Interval> pieces;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      pieces.clear();
      for (const Shape& s : operands_[k]) grid::add_crossings(s, x, axis, reach, pieces);
      for (const Interval& p : pieces)
        if (p.low < p.high) ends.push_back({p.low, k, 1}), ends.push_back({p.high, k, -1});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.at < b.at; });
    std::vector<int> depth(operands_.size());
    const auto add = [&](double low, double high) {
      if (low = std::max(low, -reach), high = std::min(high, reach); low < high) to.push_back({low, high});
    };
    double begin = 0;
    bool within = false;
    for (std::size_t e = 0; e < ends.size();) {
      const double at = ends[e].at;
      for (; e < ends.size() && ends[e].at == at; ++e) depth[ends[e].operand] += ends[e].step;
      const bool now = joined([&](std::size_t k) { return depth[k] > 0; });
      if (now == within) continue;
      if (within) add(begin, at);
      begin = at, within = now;
    }
  }

  // The surface of a union is the nearest one outside, of an intersection the farthest; what is subtracted counts the other way round.
  Surface surface_near(const Vec3& x) const override {
    const auto nearest = [&](std::size_t k) {
      Surface least{std::numeric_limits<double>::infinity(), {}};
      for (const Shape& s : operands_[k])
        if (const Surface own = grid::surface_near(s, x); own.distance < least.distance) least = own;
      return least;
    };
    Surface surface = nearest(0);
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      Surface other = nearest(k);
      if (combination_ == Combination::subtract) other = {-other.distance, -other.normal};
      const bool is_nearer = other.distance < surface.distance;
      if (is_nearer == (combination_ == Combination::unite)) surface = other;
    }
    return surface;
  }

 private:
  static Bounds bounds_of(const std::vector<Shape>& shapes) {
    Bounds all = grid::bounds(shapes.front());
    for (const Shape& s : shapes) {
      const Bounds b = grid::bounds(s);
      for (int a = 0; a < 3; ++a)
        all.low[a] = std::min(all.low[a], b.low[a]), all.high[a] = std::max(all.high[a], b.high[a]);
    }
    return all;
  }

  // holds(k): whether operand k does.
  template <class Holds>
  bool joined(const Holds& holds) const {
    const bool first = holds(0);
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      if (combination_ == Combination::unite ? first : !first) break;
      const bool other = holds(k);
      if (combination_ == Combination::unite && other) return true;
      if (combination_ == Combination::intersect && !other) return false;
      if (combination_ == Combination::subtract && other) return false;
    }
    return first;
  }

  Combination combination_;
  std::vector<std::vector<Shape>> operands_;
  Bounds bounds_;
};

}  // namespace

std::shared_ptr<const Solid> combine(geometry::Combination combination, std::vector<std::vector<Shape>> operands) {
  std::size_t number = 0;
  for (auto& shapes : operands)
    for (Shape& s : shapes) s = checked(s, number++);
  return std::make_shared<Combined>(combination, std::move(operands));
}

}  // namespace dgtd::grid
