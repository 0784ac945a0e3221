// Boxes, ellipsoids and prisms that are turned about their centre.
#include "dgtd/grid/turned.hpp"

#include <algorithm>

#include "placed_solid.hpp"
#include "shape.hpp"

namespace dgtd::grid {
namespace {

void add_piece(const Interval& piece, std::vector<Interval>& to) {
  if (piece.low < piece.high) to.push_back(piece);
}

struct TurnedBox {
  static constexpr bool convex = true;
  Shape body;  // about the origin

  double reach(const Vec3& d) const {
    return 0.5 * (std::abs(d.x) * body.size.x + std::abs(d.y) * body.size.y + std::abs(d.z) * body.size.z);
  }
  bool holds(const Vec3& p) const { return inside(body, p); }
  bool misses(const Vec3& p, const Vec3& half) const {
    for (int a = 0; a < 3; ++a)
      if (std::abs(p[a]) - half[a] >= body.size[a] / 2) return true;
    return false;
  }
  bool fills(const Vec3&, double) const { return false; }
  void add_pieces(const Line& line, std::vector<Interval>& to) const {
    Interval piece = whole_line;
    for (int a = 0; a < 3; ++a) piece = common_part(piece, where_within(line.p[a], line.d[a], body.size[a] / 2));
    add_piece(piece, to);
  }
  Surface surface(const Vec3& p) const { return surface_near(body, p); }
};

struct TurnedEllipsoid {
  static constexpr bool convex = true;
  Shape body;  // about the origin

  Vec3 scaled(const Vec3& v) const { return {v.x / body.radii.x, v.y / body.radii.y, v.z / body.radii.z}; }
  double reach(const Vec3& d) const {
    return norm(Vec3{d.x * body.radii.x, d.y * body.radii.y, d.z * body.radii.z});
  }
  bool holds(const Vec3& p) const { return inside(body, p); }
  bool misses(const Vec3& p, const Vec3& half) const { return norm(scaled(p)) - norm(scaled(half)) >= 1; }
  bool fills(const Vec3&, double) const { return false; }
  void add_pieces(const Line& line, std::vector<Interval>& to) const {
    const Vec3 p = scaled(line.p), d = scaled(line.d);
    add_piece(where_negative(dot(d, d), dot(p, d), dot(p, p) - 1), to);
  }
  Surface surface(const Vec3& p) const { return surface_near(body, p); }
};

struct TurnedPrism {
  static constexpr bool convex = false;
  std::shared_ptr<const Solid> prism;  // about the origin
  std::vector<std::array<double, 2>> corners;
  int axis = 2;
  double half_height = 0;

  Vec3 corner(std::size_t i, double along) const {
    Vec3 x;
    x[axis] = along, x[(axis + 1) % 3] = corners[i][0], x[(axis + 2) % 3] = corners[i][1];
    return x;
  }
  double reach(const Vec3& d) const {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < corners.size(); ++i)
      most = std::max({most, dot(d, corner(i, half_height)), dot(d, corner(i, -half_height))});
    return most;
  }
  bool holds(const Vec3& p) const { return prism->inside(p); }
  bool misses(const Vec3& p, const Vec3& half) const { return prism->surface_near(p).distance >= norm(half); }
  bool fills(const Vec3& p, double radius) const { return prism->surface_near(p).distance <= -radius; }

  // Between the lids, the parts between the 1st and 2nd, 3rd and 4th wall and so on.
  void add_pieces(const Line& line, std::vector<Interval>& to) const {
    const Interval between_lids = where_within(line.p[axis], line.d[axis], half_height);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double du = line.d[u], dv = line.d[v];
    if (du == 0 && dv == 0) {
      Vec3 in_middle = line.p;
      in_middle[axis] = 0;
      if (prism->inside(in_middle)) add_piece(between_lids, to);
      return;
    }
    const auto left_of_line = [&](const std::array<double, 2>& c) {
      return du * (c[1] - line.p[v]) - dv * (c[0] - line.p[u]);
    };
    std::vector<double> cuts;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const double from = left_of_line(a), until = left_of_line(b);
      if ((from > 0) == (until > 0)) continue;
      const double share = from / (from - until);
      cuts.push_back((du * (std::lerp(a[0], b[0], share) - line.p[u]) + dv * (std::lerp(a[1], b[1], share) - line.p[v])) /
                     (du * du + dv * dv));
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2) add_piece(common_part(between_lids, {cuts[i], cuts[i + 1]}), to);
  }
  Surface surface(const Vec3& p) const { return prism->surface_near(p); }
};

}  // namespace

std::shared_ptr<const Solid> make_turned_box(const Vec3& centre, const Vec3& size, const geometry::Turn& turn) {
  Shape body;
  body.type = Shape::Type::box;
  body.size = size;
  return placed(TurnedBox{checked(body, 0)}, centre, geometry::Rotation(turn));
}

std::shared_ptr<const Solid> make_turned_ellipsoid(const Vec3& centre, const Vec3& radii, const geometry::Turn& turn) {
  Shape body;
  body.type = Shape::Type::ellipsoid;
  body.radii = radii;
  return placed(TurnedEllipsoid{checked(body, 0)}, centre, geometry::Rotation(turn));
}

std::shared_ptr<const Solid> make_turned_prism(const std::vector<std::array<double, 2>>& corners, int axis,
                                               const Vec3& centre, double height, const geometry::Turn& turn) {
  return placed(TurnedPrism{make_prism(corners, axis, {}, height), corners, axis, height / 2}, centre,
                geometry::Rotation(turn));
}

}  // namespace dgtd::grid
