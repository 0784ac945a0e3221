#include "dgtd/geometry/polygon.hpp"

#include <cmath>

namespace dgtd::geometry {
namespace {

// Half the sum of the cross products of neighbouring corners, about the first one.
double signed_area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    twice += (ring[i][0] - ring[0][0]) * (ring[i + 1][1] - ring[0][1]) -
             (ring[i][1] - ring[0][1]) * (ring[i + 1][0] - ring[0][0]);
  return twice / 2;
}

}  // namespace

double area(const Polygon& polygon) {
  double sum = signed_area(polygon.outer);
  for (const Ring& hole : polygon.holes) sum += signed_area(hole);
  return sum;
}

double area(const std::vector<Polygon>& polygons) {
  double sum = 0;
  for (const Polygon& polygon : polygons) sum += area(polygon);
  return sum;
}

Ring at_height(const Ring& bottom, const Ring& top, double share) {
  Ring ring(bottom.size());
  for (std::size_t i = 0; i < ring.size(); ++i)
    ring[i] = {std::lerp(bottom[i][0], top[i][0], share), std::lerp(bottom[i][1], top[i][1], share)};
  return ring;
}

}  // namespace dgtd::geometry
