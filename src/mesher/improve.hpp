#pragma once
// Moves vertices, flips and collapses until no element, or none that can be helped, sets the time step of a method.
// The operations are those of B. M. Klingner, J. R. Shewchuk, "Aggressive tetrahedral mesh improvement" (2007).
#include <functional>

#include "cgal_mesher.hpp"
#include "exterior.hpp"

namespace dgtd::mesher {

struct ImproveGoal {
  /// An element is good if its inradius times slowness is at least this, m, ...
  double inradius = 0;
  std::vector<double> slowness;  // [regions + 1] sqrt(eps_r): the step allowed is proportional to inradius times it
  /// ... and 4.9 inradius / longest edge at least this.
  double shape = 0.3;
  int passes = 12;
  /// Whether triangles between regions and on the boundary stay as they are.
  bool surfaces_stay = false;
  /// Work after which the optimiser ends: evaluations of an element's quality, per element. Work and not time, so that
  /// the result is the same on every machine.
  double effort = 4000;
  /// Receives the progress from time to time.
  std::function<void(const std::string&)> progress;
};

struct ImproveResult {
  std::int64_t bad_before = 0, bad_after = 0;
  std::int64_t moves = 0, flips = 0, collapses = 0, splits = 0;
  double worst_before = 0, worst_after = 0;  // smallest ratio to the goal; 1 or more: all are good
  double effort = 0;                         // evaluations per element
  bool ended_by_effort = false;
};

/// Surfaces between regions stay those of `region`: their vertices are moved along them. Flat parts of the domain's
/// boundary, straight edges and corners are kept exactly; vertices on an absorbing sphere stay on it. Vertices at which
/// more than two regions meet are not moved.
ImproveResult improve(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
                      const std::function<int(const Vec3&)>& region);

/// Pieces of a region below `volume` (m3), but its largest one, are given to the region with the largest common face
/// area. Returns how many.
int absorb_pieces(Tetrahedra& mesh, double volume);

}  // namespace dgtd::mesher
