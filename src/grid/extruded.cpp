// Extruded polygons: upright walls or walls that lean, with holes.
#include "dgtd/grid/extruded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "bounds.hpp"
#include "rectangle_cut.hpp"
#include "triangle_index.hpp"

namespace dgtd::grid {
namespace {

using geometry::Extrusion;
using geometry::Ring;
using Corner = geometry::Point;

// The plane wall above an edge a b, whose inner side is on the left.
struct Wall {
  Corner a, b;          // m, at the lower end
  Corner a_top, b_top;  // m, at the upper end
};

struct WallEdge {
  Corner a, b;
};

// At a share of the height.
WallEdge edge_at(const Wall& w, double share) {
  const auto between = [share](const Corner& low, const Corner& high) {
    return Corner{std::lerp(low[0], high[0], share), std::lerp(low[1], high[1], share)};
  };
  return {between(w.a, w.a_top), between(w.b, w.b_top)};
}

class Extruded final : public Solid {
 public:
  explicit Extruded(const Extrusion& body) : low_(body.low), high_(body.high), height_(body.high - body.low) {
    if (!(height_ > 0) || body.bottom.empty()) throw Error("a layout without height or polygons");
    for (std::size_t p = 0; p < body.bottom.size(); ++p) {
      add_walls(body.bottom[p].outer, body.top[p].outer);
      for (std::size_t h = 0; h < body.bottom[p].holes.size(); ++h)
        add_walls(body.bottom[p].holes[h], body.top[p].holes[h]);
    }
    for (const Wall& w : walls_) {
      const auto [least_x, most_x] = std::minmax({w.a[0], w.b[0], w.a_top[0], w.b_top[0]});
      const auto [least_y, most_y] = std::minmax({w.a[1], w.b[1], w.a_top[1], w.b_top[1]});
      boxes_.push_back({{least_x, least_y, low_}, {most_x, most_y, high_}});
      for (int a = 0; a < 3; ++a) {
        bounds_.low[a] = std::min(bounds_.low[a], boxes_.back().low[a]);
        bounds_.high[a] = std::max(bounds_.high[a], boxes_.back().high[a]);
      }
    }
    columns_ = Columns(boxes_, bounds_, 2);
    // All of a column where no wall is is inside, or none.
    raster_ = Raster(boxes_, bounds_, [this](const Vec3& x) { return holds({x.x, x.y}, 0.5); });
  }

  Bounds bounds() const override { return bounds_; }

  bool inside(const Vec3& x) const override {
    if (!holds_point(bounds_, x)) return false;
    const Raster::State state = raster_.of({x, x});
    return state == Raster::cut ? holds({x.x, x.y}, share_of(x.z)) : state == Raster::within;
  }

  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    const Bounds box{centre - half, centre + half};
    const Cover in_bounds = cover_by(bounds_, box);
    if (in_bounds == Cover::none) return Cover::none;
    // A wall whose edge, at the middle of the heights that they share, enters the box widened by as much as the edge
    // moves from there.
    const double from = share_of(box.low.z), to = share_of(box.high.z), middle = (from + to) / 2;
    const bool cut = columns_.any_near(box, [&](int number) {
      const Wall& w = walls_[number];
      const WallEdge at = edge_at(w, middle), end = edge_at(w, to);
      double slack[2];
      for (int c : {0, 1}) slack[c] = std::max(std::abs(end.a[c] - at.a[c]), std::abs(end.b[c] - at.b[c]));
      return enters_rectangle(at.a, at.b, {centre.x, centre.y}, {half.x + slack[0], half.y + slack[1]});
    });
    if (cut) return Cover::part;
    if (!holds({std::clamp(centre.x, bounds_.low.x, bounds_.high.x), std::clamp(centre.y, bounds_.low.y, bounds_.high.y)},
               middle))
      return Cover::none;
    return in_bounds;
  }

  void add_crossings(const Vec3& x, int axis, double, std::vector<Interval>& to) const override {
    if (axis == 2) return add_heights(x, to);
    if (x.z < low_ || x.z > high_) return;
    std::vector<double>& cuts = cuts_of(axis, axis == 0 ? x.y : x.x, share_of(x.z));
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
      if (cuts[i] < cuts[i + 1]) to.push_back({cuts[i] - x[axis], cuts[i + 1] - x[axis]});
  }

  // The larger of the distances to the lids and to the walls at this height, of which a leaning one is nearer than its
  // edge by the cosine of its tilt.
  Surface surface_near(const Vec3& x) const override {
    const double along = x.z - low_ - height_ / 2;
    Surface lid{std::abs(along) - height_ / 2, {}};
    lid.normal.z = along < 0 ? -1 : 1;
    const Surface side = wall_near({x.x, x.y}, share_of(x.z));
    return lid.distance > side.distance ? lid : side;
  }

 private:
  void add_walls(const Ring& bottom, const Ring& top) {
    for (std::size_t i = 0; i < bottom.size(); ++i) {
      const std::size_t next = (i + 1) % bottom.size();
      walls_.push_back({bottom[i], bottom[next], top[i], top[next]});
    }
  }

  double share_of(double z) const { return std::clamp((z - low_) / height_, 0.0, 1.0); }

  // Where the line along x (axis 0) or y, at the other coordinate and a share of the height, crosses walls; rising.
  // Valid until the thread's next call.
  std::vector<double>& cuts_of(int axis, double other, double share) const {
    thread_local std::vector<std::pair<int, double>> found;
    thread_local std::vector<double> cuts;
    found.clear();
    cuts.clear();
    Bounds line = bounds_;
    line.low[1 - axis] = line.high[1 - axis] = other;
    (void)columns_.any_near(line, [&](int number) {
      const WallEdge e = edge_at(walls_[number], share);
      const int fixed = 1 - axis;
      if ((e.a[fixed] > other) != (e.b[fixed] > other))
        found.emplace_back(number, std::lerp(e.a[axis], e.b[axis], (other - e.a[fixed]) / (e.b[fixed] - e.a[fixed])));
      return false;
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const auto& [number, at] : found) cuts.push_back(at);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
  }

  // The polygons hold their edges.
  bool holds(const Corner& p, double share) const {
    const Vec3 at{p[0], p[1], low_};
    if (columns_.any_near({at, at}, [&](int number) { return is_on(edge_at(walls_[number], share), p); })) return true;
    const std::vector<double>& cuts = cuts_of(0, p[1], share);
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
      if (cuts[i] <= p[0] && p[0] <= cuts[i + 1]) return true;
    return false;
  }

  // Between the heights at which walls pass the point, all of the line is inside or none.
  void add_heights(const Vec3& x, std::vector<Interval>& to) const {
    const Corner p{x.x, x.y};
    if (p[0] < bounds_.low.x || p[0] > bounds_.high.x || p[1] < bounds_.low.y || p[1] > bounds_.high.y) return;
    std::vector<double> shares{0, 1};
    (void)columns_.any_near({{p[0], p[1], low_}, {p[0], p[1], low_}}, [&](int number) {
      const Wall& w = walls_[number];
      const double below = left_of_edge({w.a, w.b}, p), above = left_of_edge({w.a_top, w.b_top}, p);
      if ((below > 0) != (above > 0)) shares.push_back(below / (below - above));
      return false;
    });
    std::sort(shares.begin(), shares.end());
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
      const double from = shares[i], until = shares[i + 1];
      if (!(from < until) || !holds(p, (from + until) / 2)) continue;
      const Interval piece{low_ + from * height_ - x.z, low_ + until * height_ - x.z};
      if (!to.empty() && to.back().high == piece.low) to.back().high = piece.high;
      else to.push_back(piece);
    }
  }

  static bool is_on(const WallEdge& e, const Corner& p) {
    for (int c : {0, 1})
      if (p[c] < std::min(e.a[c], e.b[c]) || p[c] > std::max(e.a[c], e.b[c])) return false;
    return left_of_edge(e, p) == 0;
  }

  // m, of a point from the edge's line.
  static double left_of_edge(const WallEdge& e, const Corner& p) {
    const double u = e.b[0] - e.a[0], v = e.b[1] - e.a[1];
    return (u * (p[1] - e.a[1]) - v * (p[0] - e.a[0])) / std::hypot(u, v);
  }

  Surface wall_near(const Corner& p, double share) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double nearest = infinity;
    Corner away{};
    const Wall* wall = nullptr;
    const Vec3 size = bounds_.high - bounds_.low;
    for (double reach = std::hypot(size.x, size.y) / std::sqrt(double(walls_.size()));; reach *= 2) {
      const Bounds around{{p[0] - reach, p[1] - reach, low_}, {p[0] + reach, p[1] + reach, low_}};
      (void)columns_.any_near(around, [&](int number) {
        const WallEdge e = edge_at(walls_[number], share);
        const double u = e.b[0] - e.a[0], v = e.b[1] - e.a[1];
        const double t = std::clamp(((p[0] - e.a[0]) * u + (p[1] - e.a[1]) * v) / (u * u + v * v), 0.0, 1.0);
        const Corner d{p[0] - e.a[0] - t * u, p[1] - e.a[1] - t * v};
        const double distance = std::hypot(d[0], d[1]);
        if (distance < nearest || (distance == nearest && &walls_[number] < wall)) {
          nearest = distance;
          wall = &walls_[number];
          away = t > 0 && t < 1 ? Corner{} : d;  // at a corner the direction from it
        }
        return false;
      });
      if (nearest <= reach) break;
    }
    const double sign = holds(p, share) ? -1 : 1, length = std::hypot(away[0], away[1]);
    const double edge = std::hypot(wall->b[0] - wall->a[0], wall->b[1] - wall->a[1]);
    Vec3 outwards{(wall->b[1] - wall->a[1]) / edge, -(wall->b[0] - wall->a[0]) / edge, 0};
    if (length > 1e-9 * (size.x + size.y)) outwards = {sign * away[0] / length, sign * away[1] / length, 0};
    // Upwards by what the wall goes inwards over its height.
    outwards.z = left_of_edge({wall->a, wall->b}, wall->a_top) / height_;
    const double stretch = norm(outwards);
    return {sign * nearest / stretch, outwards / stretch};
  }

  std::vector<Wall> walls_;
  std::vector<Bounds> boxes_;  // [walls]
  Bounds bounds_{{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                  std::numeric_limits<double>::infinity()},
                 {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity()}};
  double low_, high_, height_;  // m
  Columns columns_;
  Raster raster_;
};

}  // namespace

std::shared_ptr<const Solid> make_extruded(const Extrusion& extrusion) { return std::make_shared<Extruded>(extrusion); }

}  // namespace dgtd::grid
