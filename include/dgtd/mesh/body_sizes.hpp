#pragma once
// Element sizes that follow from the bodies of a model.
#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/conductor_sizes.hpp"

namespace dgtd::mesh {

/// Element sizes of a model.
class BodySizes {
 public:
  /// Elements along a circle where they have straight edges, and where these are curved (their default in a case).
  static constexpr double per_straight_circle = 12, per_curved_circle = 6;

  /// of_solids: edges of conductors that only the solids show (has_edges_of_solids).
  explicit BodySizes(const BodyModel& model, const std::vector<ConductorEdge>& of_solids = {})
      : model_(model), conductors_(model, of_solids) {}

  /// m, of an element at a point. What bodies ask for grows with the distance from them.
  double at(const Vec3& x) const;
  /// Number of tetrahedra of these sizes in the domain, from samples.
  double tetrahedra() const;
  /// Elements along a circle of a body's curved surface; towards the tip of a cone along that of an eighth of its
  /// radius.
  static double per_circle(const BodyModel& model, Body::Form form);
  /// m, the size that a body asks for at a point: its element, its smallest thickness, its curvature.
  double asked_by(const Body& body, const Vec3& x) const;

 private:
  const BodyModel& model_;
  ConductorSizes conductors_;
};

}  // namespace dgtd::mesh
