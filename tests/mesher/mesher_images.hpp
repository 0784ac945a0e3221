#pragma once
// Labelled images and surfaces of simple forms.
#include <array>
#include <cstdint>
#include <sstream>
#include <string>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesher::testing {

/// An NRRD file of n^3 voxels with spacing h (mm) around the origin; label: of a point, mm.
template <class Label>
std::string nrrd(int n, double h, const Label& label) {
  std::ostringstream text;
  const double first = -0.5 * (n - 1) * h;
  text << "NRRD0004\ntype: unsigned char\ndimension: 3\nsizes: " << n << " " << n << " " << n
       << "\nspace: left-posterior-superior\nspace directions: (" << h << ",0,0) (0," << h << ",0) (0,0," << h
       << ")\nspace origin: (" << first << "," << first << "," << first << ")\nencoding: raw\n\n";
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) text << char(label(Vec3{first + i * h, first + j * h, first + k * h}));
  return text.str();
}

/// A cube around the origin, two triangles per face.
inline std::string stl_cube(double edge) {
  std::ostringstream text;
  text << "solid cube\n";
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const auto corner = [&](int u, int v) {
        Vec3 p;
        p[axis] = 0.5 * side * edge;
        p[(axis + 1) % 3] = 0.5 * u * edge;
        p[(axis + 2) % 3] = 0.5 * v * side * edge;
        return p;
      };
      const std::array<Vec3, 4> c{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
      for (const auto& t : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
        text << "facet normal 0 0 0\nouter loop\n";
        for (const int i : t) text << "vertex " << c[i].x << " " << c[i].y << " " << c[i].z << "\n";
        text << "endloop\nendfacet\n";
      }
    }
  text << "endsolid cube\n";
  return text.str();
}

}  // namespace dgtd::mesher::testing
