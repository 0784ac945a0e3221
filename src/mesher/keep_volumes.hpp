#pragma once
// Moves the surfaces between regions until the regions have their volumes.
#include <functional>
#include <vector>

#include "cgal_mesher.hpp"
#include "exterior.hpp"
#include "improve.hpp"

namespace dgtd::mesher {

struct VolumeGoal {
  /// [regions + 1] m3; 0 for a region (0: outside, 1: air) that has whatever the others leave.
  std::vector<double> volume;
  /// Largest displacement of a vertex, as a share of the mean length of its edges.
  double reach = 0.12;
  int rounds = 12;  // of moves, at most
};

/// Flat faces between points of a curved surface cut off a part of what is inside, so a thin convex region is too small
/// by 3/8 (h / R)^2 and more. All vertices between two regions a and b are therefore moved along the surface's normal
/// by one distance, d_ab = p_a - p_b. These have the smallest sum of (area times d_ab^2) of all distances that give the
/// regions their volumes,
///   sum_b A_ab (p_a - p_b) = wanted volume - volume of a,
/// A_ab: common area, p = 0 where the volume is free. A vertex of several pairs of regions moves such that each pair's
/// normal sees its distance (least squares). No vertex moves that would leave an element worse than the goal of
/// `improve` and worse than it was. Vertices on the domain's boundary stay. Returns how many vertices were moved.
std::int64_t keep_volumes(Tetrahedra& mesh, const VolumeGoal& wanted, const ImproveGoal& goal,
                          const Exterior& exterior);

}  // namespace dgtd::mesher
