#pragma once
// A cube of tetrahedra in regions.
#include <gtest/gtest.h>

#include <random>

#include "dgtd/mesh/tetrahedron.hpp"
#include "mesher/cgal_mesher.hpp"

namespace dgtd::mesher::testing {

/// n^3 cubes of edge 1, six tetrahedra each, of region(i, j, k); inner points are moved at random by at most `by` along
/// each axis, those of the plane x = n / 2 in the plane.
template <class Region>
Tetrahedra cube_of_tetrahedra(int n, double by, const Region& region) {
  Tetrahedra mesh;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-by, by);
  const auto at = [n](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        Vec3 p{double(i), double(j), double(k)};
        const bool inner = i > 0 && j > 0 && k > 0 && i < n && j < n && k < n;
        if (inner && by > 0) p += Vec3{i == n / 2 ? 0 : shift(random), shift(random), shift(random)};
        mesh.points.push_back(p);
      }
  const int orders[6][3] = {{1, 2, 4}, {2, 1, 4}, {1, 4, 2}, {4, 1, 2}, {2, 4, 1}, {4, 2, 1}};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const auto& order : orders) {
          int corner = 0;
          std::array<std::int32_t, 4> c{at(i, j, k)};
          for (int s = 0; s < 3; ++s) {
            corner |= order[s];
            c[s + 1] = at(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
          }
          if (mesh::Tetrahedron::at(mesh.points, c).signed_volume() < 0) std::swap(c[0], c[1]);
          mesh.corners.push_back(c);
          mesh.region.push_back(static_cast<std::uint8_t>(region(i, j, k)));
        }
  return mesh;
}

/// Volume of a region; no element may be turned inside out.
inline double volume(const Tetrahedra& mesh, int region) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.corners.size(); ++t) {
    const double v = mesh::Tetrahedron::at(mesh.points, mesh.corners[t]).signed_volume();
    EXPECT_GT(v, 0);
    if (mesh.region[t] == region) sum += v;
  }
  return sum;
}

}  // namespace dgtd::mesher::testing
