#include "unite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/polygon/polygon.hpp>
#include <cmath>
#include <cstdint>

#include "dgtd/base/error.hpp"

namespace dgtd::geometry {
namespace {

namespace bp = boost::polygon;
using WholePoint = bp::point_data<int>;

bool turns_at(const WholePoint& a, const WholePoint& b, const WholePoint& c) {
  const auto step = [](int from, int to) { return std::int64_t{to} - from; };  // below 2^31, products below 2^62
  return step(a.x(), b.x()) * step(b.y(), c.y()) != step(a.y(), b.y()) * step(b.x(), c.x());
}

// Without the last corner where it is the first, and without those on straight lines.
std::vector<WholePoint> corners_of(auto begin, auto end) {
  std::vector<WholePoint> all(begin, end), corners;
  if (all.size() > 1 && all.front() == all.back()) all.pop_back();
  for (const WholePoint& next : all) {
    if (!corners.empty() && corners.back() == next) continue;
    while (corners.size() > 1 && !turns_at(corners[corners.size() - 2], corners.back(), next)) corners.pop_back();
    if (!corners.empty() && corners.back() == next) continue;
    corners.push_back(next);
  }
  for (bool changed = true; changed && corners.size() > 2;) {
    changed = false;
    const std::size_t n = corners.size();
    if (!turns_at(corners[n - 2], corners[n - 1], corners[0])) corners.pop_back(), changed = true;
    else if (!turns_at(corners[n - 1], corners[0], corners[1])) corners.erase(corners.begin()), changed = true;
  }
  if (corners.size() < 3) corners.clear();
  return corners;
}

Ring ring_of(std::vector<WholePoint> corners, double per_metre, bool counter_clockwise) {
  Ring ring;
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const WholePoint &a = corners[i], &b = corners[(i + 1) % corners.size()], &first = corners[0];
    twice += (double(a.x()) - first.x()) * (double(b.y()) - first.y()) -
             (double(a.y()) - first.y()) * (double(b.x()) - first.x());
  }
  if ((twice > 0) != counter_clockwise) std::reverse(corners.begin(), corners.end());
  for (const WholePoint& p : corners) ring.push_back({p.x() / per_metre, p.y() / per_metre});
  return ring;
}

}  // namespace

// Some polygons are united at once, and some of these unions again, and so on: of many copies that lie upon each other
// a sweep over all would find as many crossings as there are pairs.
struct PolygonUnion::Set {
  static constexpr std::size_t at_once = 16;
  std::vector<std::vector<bp::polygon_set_data<int>>> levels{1};

  void add(bp::polygon_set_data<int> next) {
    levels[0].push_back(std::move(next));
    for (std::size_t l = 0; levels[l].size() >= at_once; ++l) {
      if (l + 1 == levels.size()) levels.emplace_back();
      auto joined = join(levels[l]);
      levels[l].clear();
      levels[l + 1].push_back(std::move(joined));
    }
  }

  static bp::polygon_set_data<int> join(const std::vector<bp::polygon_set_data<int>>& sets) {
    bp::polygon_set_data<int> all;
    for (const auto& s : sets) all.insert(s);
    all.clean();
    return all;
  }
};

PolygonUnion::PolygonUnion() : set_(std::make_unique<Set>()) {}
PolygonUnion::~PolygonUnion() = default;

void PolygonUnion::add(const std::vector<Point>& corners) {
  constexpr double farthest = 1e9;  // so that differences fit into 32 bits
  std::vector<WholePoint> points;
  for (const auto& [x, y] : corners) {
    if (!(std::abs(x) <= farthest && std::abs(y) <= farthest))
      throw Error(fmt::format("a corner is at {:g} {:g} units of the database, allowed is +-{:g}", x, y, farthest));
    points.emplace_back(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)));
  }
  points = corners_of(points.begin(), points.end());
  if (points.empty()) return;
  bp::polygon_data<int> polygon;
  polygon.set(points.begin(), points.end());
  bp::polygon_set_data<int> one;
  one.insert(polygon);
  set_->add(std::move(one));
}

std::vector<Polygon> PolygonUnion::united(double per_metre) const {
  bp::polygon_set_data<int> all;
  for (const auto& level : set_->levels) all.insert(Set::join(level));
  std::vector<bp::polygon_with_holes_data<int>> found;
  all.get(found);
  std::vector<Polygon> polygons;
  for (const auto& f : found) {
    auto outer = corners_of(f.begin(), f.end());
    if (outer.empty()) continue;
    Polygon& polygon = polygons.emplace_back();
    polygon.outer = ring_of(std::move(outer), per_metre, true);
    for (auto hole = f.begin_holes(); hole != f.end_holes(); ++hole)
      if (auto inner = corners_of(hole->begin(), hole->end()); !inner.empty())
        polygon.holes.push_back(ring_of(std::move(inner), per_metre, false));
  }
  return polygons;
}

}  // namespace dgtd::geometry
