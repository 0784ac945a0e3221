#include "path_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dgtd::geometry {
namespace {

using Place = std::array<double, 2>;
using Piece = std::vector<Place>;

constexpr int arc_steps = 12;  // of half a circle: pi^2 / (2 * 4 * 144) of the radius from the arc

Place moved(const Place& from, double share, const Place& along) {
  return {from[0] + share * along[0], from[1] + share * along[1]};
}
double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1]; }
double cross(const Place& a, const Place& b) { return a[0] * b[1] - a[1] * b[0]; }
Place left_of(const Place& along) { return {-along[1], along[0]}; }

struct Segment {
  Place begin, end, along;  // unit vector
  double length;
};

std::vector<Segment> segments_of(const LayoutPath& path) {
  std::vector<Segment> list;
  for (std::size_t i = 0; i + 1 < path.points.size(); ++i) {
    const Place a{double(path.points[i].x), double(path.points[i].y)},
        b{double(path.points[i + 1].x), double(path.points[i + 1].y)};
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    if (length > 0) list.push_back({a, b, {(b[0] - a[0]) / length, (b[1] - a[1]) / length}, length});
  }
  return list;
}

// Half a circle about a centre, from -side over `outwards` to side.
Piece half_disc(const Place& centre, const Place& outwards, double radius) {
  Piece piece;
  for (int i = 0; i <= arc_steps; ++i) {
    const double angle = std::numbers::pi * (double(i) / arc_steps - 0.5);
    piece.push_back(moved(moved(centre, radius * std::cos(angle), outwards), radius * std::sin(angle), left_of(outwards)));
  }
  return piece;
}

}  // namespace

double corners_of_path(const LayoutPath& path) {
  return 8 * double(path.points.size()) + 2 * (arc_steps + 1);
}

// The segments a and b meet at a corner where the path turns by theta. Their left sides, and their right sides, meet on
// its bisector, at (n_a + n_b) w / (2 (1 + n_a n_b)) from the corner, n the normals; this takes w / 2 tan(theta / 2) of
// the length on the inner side. Where both segments have twice that length, they end there. Otherwise they end upright, and the
// wedge between them is a piece of its own.
std::vector<Piece> path_pieces(const LayoutPath& path) {
  std::vector<Piece> pieces;
  std::vector<Segment> segments = segments_of(path);
  const double half = path.width / 2;
  if (half == 0) return pieces;
  if (segments.empty()) {  // a point
    const Place at{double(path.points[0].x), double(path.points[0].y)};
    segments.push_back({at, at, {1, 0}, 0});
  }
  using End = LayoutPath::End;
  if (path.end == End::round) {
    pieces.push_back(half_disc(segments.front().begin, moved({}, -1, segments.front().along), half));
    pieces.push_back(half_disc(segments.back().end, segments.back().along, half));
  }
  const double before = path.end == End::half_width ? half : path.end == End::lengths ? path.before : 0,
               beyond = path.end == End::half_width ? half : path.end == End::lengths ? path.beyond : 0;
  segments.front().begin = moved(segments.front().begin, -before, segments.front().along);
  segments.back().end = moved(segments.back().end, beyond, segments.back().along);
  segments.front().length += before;
  segments.back().length += beyond;
  const auto side = [&](const Place& at, const Segment& s) { return moved(at, half, left_of(s.along)); };
  const auto other = [&](const Place& at, const Segment& s) { return moved(at, -half, left_of(s.along)); };
  Place left = side(segments.front().begin, segments.front()), right = other(segments.front().begin, segments.front());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& a = segments[i];
    Place left_end = side(a.end, a), right_end = other(a.end, a), next_left{}, next_right{};
    if (i + 1 < segments.size()) {
      const Segment& b = segments[i + 1];
      const double cosine = dot(a.along, b.along), turn = cross(a.along, b.along);
      const Place to_corner = moved(left_of(a.along), 1, left_of(b.along));
      const double share = half / (1 + cosine);
      const bool sharp = cosine > -1e-9;  // up to 90 degrees
      next_left = side(b.begin, b), next_right = other(b.begin, b);
      if (sharp && half * std::abs(turn) / (1 + cosine) <= 0.5 * std::min(a.length, b.length)) {
        next_left = left_end = moved(a.end, share, to_corner);
        next_right = right_end = moved(a.end, -share, to_corner);
      } else if (turn != 0) {
        const bool outer_right = turn > 0;
        Piece wedge{a.end, outer_right ? right_end : next_left};
        if (sharp) wedge.push_back(moved(a.end, outer_right ? -share : share, to_corner));
        wedge.push_back(outer_right ? next_right : left_end);
        pieces.push_back(wedge);
      }
    }
    if (a.length > 0) pieces.push_back({right, right_end, left_end, left});
    left = next_left, right = next_right;
  }
  return pieces;
}

}  // namespace dgtd::geometry
