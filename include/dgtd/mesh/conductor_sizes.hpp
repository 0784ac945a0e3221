#pragma once
// Element sizes at the edges of perfect conductors, where fields are singular, and in the gaps between them.
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/body_model.hpp"

namespace dgtd::mesh {

/// A perfect conductor of a model: a hole or a plate; the other one is null.
struct Conductor {
  const Body* body;
  const Plate* plate;
  const StepSurface* surface;  // of a hole from a STEP file: that of one of its solids, else null
};

/// A straight edge of one, or a chord of a curved one.
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

/// Two perfect conductors, numbers among the holes of a model (of STEP files each solid), then its plates.
struct ConductorGap {
  std::size_t first, second;
  double width;            // m, their least distance
  double element;          // m, half of it, unless that were more than 50 elements across the smaller conductor
  bool is_between_solids;  // whether one is a solid of a STEP file, whose triangles give the width to some digits
};

/// The convex edges of the holes of a model, and the rims of its plates, but for those on a side of the domain and on
/// other conductors. STEP files and combined bodies have none here: see has_edges_of_solid.
ConductorEdges conductor_edges(const BodyModel& model);

/// m, the middle one of a body's three extents: the width of a rod or a strip. An extent of a box or prism from one
/// side of the domain to the other counts as infinite, since the body goes on there. Infinite where the form does not
/// tell it: STEP files, layouts, combined bodies, and bodies without edges.
double width_of(const Body& body, const BodyModel& model);

/// m, the largest element at the edges of the holes of a model of which no width is known.
double element_at_edges(const BodyModel& model);
/// m, that at the edges of one of its conductors.
double element_at_edges(const BodyModel& model, const Conductor& conductor);

/// The edges that has_edges_of_solid is about, as far as they are known before the mesh is made, for the number of
/// elements: those of the triangles of STEP files, and those of the operands of combined bodies that are on the
/// surface.
std::vector<ConductorEdge> expected_edges_of_solids(const BodyModel& model);

/// Whether a body is a hole from a STEP file or a combination: its edges are found in its solid when the mesh is made.
bool has_edges_of_solid(const Body& body);
/// Whether the edges of a model are refined and it has such a body.
bool has_edges_of_solids(const BodyModel& model);

/// Pairs of conductors that are nearer to each other than two elements of the model, but do not touch, without a third
/// one between. A solid of a STEP file, of which the triangles are known, touches what is nearer to any part of it than
/// about 0.4 % of the largest radius of its curved faces.
std::vector<ConductorGap> conductor_gaps(const BodyModel& model);

/// Element sizes that perfect conductors ask for.
class ConductorSizes {
 public:
  static constexpr double elements_across_gap = 2;
  /// Angle between the outward normals of two faces above which there is an edge between them.
  static constexpr double least_turn = pi / 6;

  /// of_solids: edges in addition to those that follow from the model, of which those on plates are left out.
  explicit ConductorSizes(const BodyModel& model, const std::vector<ConductorEdge>& of_solids = {});
  /// m, of an element at a point; it grows with the distance from edges and gaps.
  double at(const Vec3& x) const;

 private:
  const BodyModel& model_;
  std::vector<Conductor> conductors_;  // the holes, then the plates
  ConductorEdges edges_;
  std::vector<ConductorGap> gaps_;
};

}  // namespace dgtd::mesh
