#pragma once
// The plane of a port across a guide, and what the mesh has in it.
#include <array>
#include <vector>

#include "dgtd/dg/source_surface.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/half_step.hpp"
#include "section_triangles.hpp"

namespace dgtd::dg {

struct GuidePlane {
  const physics::Port& port;
  int normal = 0;
  std::array<int, 2> axes{};  // those that follow the normal
  double way = 1;             // of the waves that the port sends, along the normal
  double tolerance = 0;       // m

  explicit GuidePlane(const physics::Port& of);
  bool has(const Vec3& x) const;
};

/// The faces between elements in the plane. one_medium: whether there must be a single material. Collective. Throws
/// Error (bad_input) where there are none, where elements have curved edges or absorb, and for media with losses.
template <class Real>
SourceSurface surface_of(const Discretisation<Real>& d, const GuidePlane& plane, bool one_medium,
                         const parallel::Communicator& comm);

/// The face of a side of the surface.
template <class Real>
SectionTriangle triangle_of(const Discretisation<Real>& d, const GuidePlane& plane, const SourceSurface::Side& side);

/// Edges in the plane that faces on walls have which mirror the field that drives a half step: perfect conductors where H
/// is updated, magnetic walls where E is.
template <class Real>
std::vector<SectionEdge> walls_of(const Discretisation<Real>& d, const GuidePlane& plane, HalfStep updated);

}  // namespace dgtd::dg
