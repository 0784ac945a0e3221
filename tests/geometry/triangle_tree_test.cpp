// Nearest points of surfaces of triangles against all of their triangles.
#include "dgtd/geometry/triangle_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dgtd/base/constants.hpp"

namespace dgtd::geometry {
namespace {

struct Triangles {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

// A torus of radius 1 m, its tube 0.4 m, by n x n quadrangles in halves.
Triangles torus(int n) {
  Triangles t;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = 2 * pi * i / n, v = 2 * pi * j / n, across = 1 + 0.4 * std::cos(v);
      t.points.push_back({across * std::cos(u), across * std::sin(u), 0.4 * std::sin(v)});
      const auto at = [&](int k, int l) { return (k % n) * n + l % n; };
      t.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      t.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return t;
}

TEST(TriangleTree, FindsTheNearestPoint) {
  const Triangles t = torus(24);
  const TriangleTree tree(t.points, t.triangles);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-1.6, 1.6);
  for (int k = 0; k < 300; ++k) {
    const Vec3 x{place(random), place(random), place(random)};
    double expected = 1e9;
    for (const auto& [a, b, c] : t.triangles)
      expected = std::min(
          expected,
          norm(x -
               nearest_point(x, t.points[std::size_t(a)], t.points[std::size_t(b)], t.points[std::size_t(c)]).first));
    EXPECT_EQ(norm(x - tree.nearest(x)), expected);
  }
}

// The triangles are at most 0.4 (1 - cos(pi / 96)) + 1.4 (1 - cos(pi / 96)) < 1e-3 off the torus.
TEST(TriangleTree, KnowsItsInside) {
  const Triangles t = torus(96);
  const TriangleTree tree(t.points, t.triangles);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> place(-1.6, 1.6);
  int inside = 0;
  for (int k = 0; k < 3000; ++k) {
    const Vec3 x{place(random), place(random), 0.4 * place(random)};
    const double away = std::hypot(std::hypot(x.x, x.y) - 1, x.z) - 0.4;
    if (std::abs(away) < 1e-3) continue;
    EXPECT_EQ(tree.is_inside(x), away < 0) << x.x << ' ' << x.y << ' ' << x.z;
    EXPECT_NEAR(norm(x - tree.nearest(x)), std::abs(away), 1e-3);
    inside += away < 0;
  }
  EXPECT_GT(inside, 300);
}

}  // namespace
}  // namespace dgtd::geometry
