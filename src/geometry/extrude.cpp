// Walls that lean: polygons that shrink or grow with the height.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "dgtd/geometry/polygon.hpp"

namespace dgtd::geometry {
namespace {

Point unit_step(const Point& a, const Point& b) {
  const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
  return {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
}

std::string place_text(const Point& p) { return fmt::format("x = {:.6g} m, y = {:.6g} m", p[0], p[1]); }

// Moves all edges to their left by `inwards`: with n the normals of two edges to the left, their corner moves by
// inwards (n_a + n_b) / (1 + n_a . n_b).
Ring offset_ring(const Ring& ring, double inwards) {
  const std::size_t n = ring.size();
  Ring moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = unit_step(ring[(i + n - 1) % n], ring[i]), b = unit_step(ring[i], ring[(i + 1) % n]);
    const double share = inwards / std::max(1e-9, 1 + a[0] * b[0] + a[1] * b[1]);
    moved[i] = {ring[i][0] - share * (a[1] + b[1]), ring[i][1] + share * (a[0] + b[0])};
  }
  return moved;
}

// Edges keep their direction.
void require_edges(const Ring& bottom, const Ring& top) {
  for (std::size_t i = 0; i < bottom.size(); ++i) {
    const std::size_t next = (i + 1) % bottom.size();
    const Point below{bottom[next][0] - bottom[i][0], bottom[next][1] - bottom[i][1]},
        above{top[next][0] - top[i][0], top[next][1] - top[i][1]};
    if (below[0] * above[0] + below[1] * above[1] <= 1e-9 * (below[0] * below[0] + below[1] * below[1]))
      throw Error(fmt::format("the edge at {} vanishes below the upper end", place_text(bottom[i])));
  }
}

struct Edge {
  Point a, b, at;  // at: for messages, below
  const Ring* ring;
  std::size_t number;

  double low(int axis) const { return std::min(a[axis], b[axis]); }
  double high(int axis) const { return std::max(a[axis], b[axis]); }
};

double side_of_line(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// c lies on the edge, to rounding.
bool touches(const Edge& e, const Point& c) {
  constexpr double rounding = 1e-9;  // of its length
  const Point along{e.b[0] - e.a[0], e.b[1] - e.a[1]};
  const double length2 = along[0] * along[0] + along[1] * along[1];
  const double share = ((c[0] - e.a[0]) * along[0] + (c[1] - e.a[1]) * along[1]) / length2;
  return share >= -rounding && share <= 1 + rounding && std::abs(side_of_line(e.a, e.b, c)) <= rounding * length2;
}

bool edges_meet(const Edge& e, const Edge& f) {
  const double ea = side_of_line(f.a, f.b, e.a), eb = side_of_line(f.a, f.b, e.b), fa = side_of_line(e.a, e.b, f.a),
               fb = side_of_line(e.a, e.b, f.b);
  return ((ea > 0) != (eb > 0) && (fa > 0) != (fb > 0)) || touches(e, f.a) || touches(e, f.b) || touches(f, e.a) ||
         touches(f, e.b);
}

bool are_neighbours(const Edge& e, const Edge& f) {
  const std::size_t n = e.ring->size();
  return e.ring == f.ring && ((e.number + 1) % n == f.number || (f.number + 1) % n == e.number);
}

// No two edges that are not neighbours cross at a share of the height.
void require_apart(const std::vector<Polygon>& bottom, const std::vector<Polygon>& top, double share) {
  std::vector<Edge> edges;
  const auto add = [&](const Ring& below, const Ring& above) {
    const Ring ring = at_height(below, above, share);
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges.push_back({ring[i], ring[(i + 1) % ring.size()], below[i], &below, i});
  };
  for (std::size_t p = 0; p < bottom.size(); ++p) {
    add(bottom[p].outer, top[p].outer);
    for (std::size_t h = 0; h < bottom[p].holes.size(); ++h) add(bottom[p].holes[h], top[p].holes[h]);
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& f) { return e.low(0) < f.low(0); });
  std::vector<const Edge*> open;  // that reach to the x of the next one
  for (const Edge& e : edges) {
    std::erase_if(open, [&](const Edge* f) { return f->high(0) < e.low(0); });
    for (const Edge* f : open)
      if (f->low(1) <= e.high(1) && f->high(1) >= e.low(1) && !are_neighbours(e, *f) && edges_meet(e, *f))
        throw Error(fmt::format("the walls at {} and at {} meet below the upper end", place_text(f->at), place_text(e.at)));
    open.push_back(&e);
  }
}

}  // namespace

Extrusion extrude(std::vector<Polygon> bottom, double low, double high, double sidewall_angle) {
  constexpr double upright = 1.5707963267948966, rounding = 1e-12;
  Extrusion body;
  body.low = low, body.high = high;
  body.top = bottom;
  if (std::abs(sidewall_angle - upright) > rounding) {
    const double inwards = (high - low) / std::tan(sidewall_angle);
    for (std::size_t p = 0; p < bottom.size(); ++p) {
      const auto move = [&](const Ring& below, Ring& above) {
        above = offset_ring(below, inwards);
        require_edges(below, above);
      };
      move(bottom[p].outer, body.top[p].outer);
      for (std::size_t h = 0; h < bottom[p].holes.size(); ++h) move(bottom[p].holes[h], body.top[p].holes[h]);
    }
    for (const double share : {0.25, 0.5, 0.75, 1.0}) require_apart(bottom, body.top, share);
  }
  body.bottom = std::move(bottom);
  return body;
}

}  // namespace dgtd::geometry
