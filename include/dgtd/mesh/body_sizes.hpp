#pragma once
// Element sizes that follow from the bodies of a model.
#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/conductor_sizes.hpp"

namespace dgtd::mesh {

/// Element sizes of a model.
class BodySizes {
 public:
  /// Elements along a circle of a curved surface; towards the tip of a cone along that of an eighth of its radius.
  static constexpr double per_circle = 12;

  explicit BodySizes(const BodyModel& model) : model_(model), conductors_(model) {}

  /// m, of an element at a point. What bodies ask for grows with the distance from them.
  double at(const Vec3& x) const;
  /// Number of tetrahedra of these sizes in the domain, from samples.
  double tetrahedra() const;
  /// m, the size that a body asks for at a point: its element, its smallest thickness, its curvature.
  double asked_by(const Body& body, const Vec3& x) const;

 private:
  const BodyModel& model_;
  ConductorSizes conductors_;
};

}  // namespace dgtd::mesh
