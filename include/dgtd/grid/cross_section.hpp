#pragma once
// The cross-section of a guide in the plane of a port: which edges of the plane's cells carry E, and their medium.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::grid {

/// Cells between nodes of a plane. Numbers of nodes, of edges by their lower end and of faces by their lower corner are
/// j columns + i, with i along the first axis.
struct CrossSection {
  int normal = 2;                             // axis b
  std::array<int, 2> axes{0, 1};              // b + 1 and b + 2, cyclic
  std::int64_t node = 0;                      // of the plane, global
  std::array<std::int64_t, 2> first;          // node of its corner, global
  std::array<std::vector<double>, 2> at;      // [nodes along an axis] m
  std::array<std::vector<char>, 2> is_free;   // [numbers] edges along each axis that are in no conductor
  std::vector<char> node_is_free;             // [numbers] whether E along the normal is in no conductor there
  double permittivity = 1, permeability = 1;  // relative, of all free edges; the former of one medium only
  /// [numbers] relative, of E along both axes and along the normal (at nodes); 0 in conductors and outside.
  std::array<std::vector<double>, 3> permittivities;
  std::array<std::array<bool, 2>, 2> on_magnetic_wall{};  // [axis][lower, upper] whether the plane ends on one
  double spacing = 0;                                     // m along the normal, mean of both sides

  int nodes(int axis) const { return static_cast<int>(at[axis].size()); }
  int columns() const { return nodes(0); }
  int number(int i, int j) const { return j * columns() + i; }
  std::size_t numbers() const { return at[0].size() * at[1].size(); }
  double length(int axis, int cell) const { return at[axis][std::size_t(cell) + 1] - at[axis][std::size_t(cell)]; }
  /// m, of the dual edge across a node; at the rim half a cell.
  double dual_length(int axis, int node) const;
  /// m^2, of the edge along an axis with the lower end i, j: its length times that of the dual edge across it.
  double area(int axis, int i, int j) const {
    return length(axis, axis == 0 ? i : j) * dual_length(1 - axis, axis == 0 ? j : i);
  }
  /// Number of the edge along an axis that has its middle at a place.
  int number_of(const Vec3& place, int axis) const;
};

/// visit(axis, i, j, number) of all edges that are in no conductor.
template <class Visit>
void for_free_edges(const CrossSection& s, const Visit& visit) {
  for (const int w : {0, 1})
    for (int j = 0; j < s.nodes(1); ++j)
      for (int i = 0; i < s.nodes(0); ++i)
        if (const int n = s.number(i, j); s.is_free[w][std::size_t(n)]) visit(w, i, j, n);
}

}  // namespace dgtd::grid
