#pragma once
// Triangle in the plane of a port, with straight or curved edges. With the bends d_ij of its edges
// (mesh/curved_element.hpp) a point is x(l) = sum_i l_i x_i + 4 (d_01 l_0 l_1 + d_02 l_0 l_2 + d_12 l_1 l_2).
#include <array>
#include <cstdint>

namespace dgtd::dg {

struct SectionTriangle {
  std::int64_t number = 0;                       // of the face in the whole mesh
  std::array<std::int64_t, 3> corners{};         // vertices, ascending
  std::array<std::array<double, 2>, 3> at{};     // m, along the axes that follow the normal: after x is y, after z is x
  std::array<std::array<double, 2>, 3> bend{};   // m, of the edges 01, 02, 12 (mesh/curved_element.hpp); 0: straight

  bool is_straight() const { return bend == std::array<std::array<double, 2>, 3>{}; }
};

/// A triangle at a point: twice the area, with its sign, m^2, and the gradients of the barycentric coordinates, 1/m. The
/// same at all points of one with straight edges.
struct TriangleShape {
  double twice_area;
  std::array<std::array<double, 2>, 3> gradient;

  TriangleShape(const SectionTriangle& t, const std::array<double, 3>& barycentric);
};

/// m.
std::array<double, 2> point_of_triangle(const SectionTriangle& t, const std::array<double, 3>& barycentric);

/// Barycentric coordinates of a place, m, by Newton's method where edges are curved; not finite where it fails, far outside.
std::array<double, 3> barycentric_in(const SectionTriangle& t, double u, double v);

/// Twice the area as an integral, m^2.
double twice_area_of(const SectionTriangle& t);

}  // namespace dgtd::dg
