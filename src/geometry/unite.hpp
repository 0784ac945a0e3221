#pragma once
// Unions of polygons on whole numbers.
#include <memory>
#include <vector>

#include "dgtd/geometry/polygon.hpp"

namespace dgtd::geometry {

/// Collects polygons, which may overlap, cross themselves and be degenerate, and unites them.
class PolygonUnion {
 public:
  PolygonUnion();
  ~PolygonUnion();
  PolygonUnion(const PolygonUnion&) = delete;
  PolygonUnion& operator=(const PolygonUnion&) = delete;

  /// Rounds the corners to whole numbers. Throws Error where one is beyond +-1e9.
  void add(const std::vector<Point>& corners);
  /// Union of the polygons added so far, divided by `per_metre`. No corner is on the line between its neighbours.
  std::vector<Polygon> united(double per_metre) const;

 private:
  struct Set;
  std::unique_ptr<Set> set_;
};

}  // namespace dgtd::geometry
