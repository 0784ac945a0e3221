#pragma once
// Element sizes at the edges of perfect conductors, where fields are singular, and in the gaps between them.
#include <vector>

#include "dgtd/mesh/body_model.hpp"

namespace dgtd::mesh {

/// A perfect conductor of a model: a hole or a plate; the other one is null.
struct Conductor {
  const Body* body;
  const Plate* plate;
};

/// A straight edge of one.
struct ConductorEdge {
  Vec3 from, to;   // m
  double element;  // m, the largest element at it
};

/// A circular one.
struct ConductorRim {
  Vec3 centre;     // m
  Vec3 axis;       // unit vector
  double radius;   // m
  double element;  // m, as above
};

struct ConductorEdges {
  std::vector<ConductorEdge> straight;
  std::vector<ConductorRim> round;
};

/// Two perfect conductors, numbers among the holes of a model, then its plates.
struct ConductorGap {
  std::size_t first, second;
  double width;    // m, their least distance
  double element;  // m, half of it, unless that were more than 50 elements across the smaller conductor
};

/// The convex edges of the holes of a model, and the rims of its plates, but for those on a side of the domain and on
/// other conductors. Solids of STEP files have none, and of combined bodies those of operands that are on the surface.
ConductorEdges conductor_edges(const BodyModel& model);

/// Pairs of conductors that are nearer to each other than two elements of the model, but do not touch, without a third
/// one between. Bodies of STEP files are in none.
std::vector<ConductorGap> conductor_gaps(const BodyModel& model);

/// Element sizes that perfect conductors ask for.
class ConductorSizes {
 public:
  static constexpr double elements_across_gap = 2;

  explicit ConductorSizes(const BodyModel& model);
  /// m, of an element at a point; it grows with the distance from edges and gaps.
  double at(const Vec3& x) const;

 private:
  const BodyModel& model_;
  std::vector<Conductor> conductors_;  // the holes, then the plates
  ConductorEdges edges_;
  std::vector<ConductorGap> gaps_;
};

}  // namespace dgtd::mesh
