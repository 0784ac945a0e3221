#pragma once
// Tetrahedra of a labelled domain by CGAL's Mesh_3 (L. Rineau, S. Tayeb, M. Yvinec; Delaunay refinement). The only
// source that includes CGAL is cgal_mesher.cpp.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "stages.hpp"

namespace dgtd::mesher {

struct LabelledDomain {
  std::function<int(const Vec3&)> region;      // 0 outside, else 1 or more
  std::vector<std::vector<Vec3>> edges;        // m, polylines that become edges of tetrahedra
  std::vector<std::array<Vec3, 2>> crossings;  // m, segments whose ends have different regions: first points
  Vec3 low, high;                              // m, a box around everything
};

struct RefinementCriteria {
  std::function<double(const Vec3&)> size;  // m, of an edge
  double facet_distance = 0.1;              // of surfaces from those of the domain, over the size
  int odt_iterations = 0;
  bool perturb = false, exude = false;
  std::size_t most_elements = 0;  // about; Error beyond
  std::size_t about = 0;          // elements that the sizes alone would make; 0: unknown
  /// Whether the refined elements are optimised and returned; else `refined` is all of the result.
  std::function<bool(std::size_t elements)> enough;
};

struct Tetrahedra {
  std::vector<Vec3> points;                          // m
  std::vector<std::array<std::int32_t, 4>> corners;  // [tetrahedra] indices of points, of positive volume
  std::vector<std::uint8_t> region;                  // [tetrahedra] 1 or more
  std::size_t refined = 0;                           // elements before optimisation
};

/// The same result for the same input. Throws Error where more than most_elements would be needed.
Tetrahedra refine(const LabelledDomain& domain, const RefinementCriteria& criteria, const Stages::Print& print);

}  // namespace dgtd::mesher
