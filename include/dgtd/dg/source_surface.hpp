#pragma once
// Surface from which a source launches waves: faces between elements. On one side of them, ahead, is the field
// with the wave, on the other the field without it; between the two the numerical flux has the neighbour's trace plus
// (seen from ahead) or minus that of the wave:
//   u_k + o u_inc,   o = 1 ahead, -1 behind,
// which adds the lift of o u_inc to the half steps of the elements beside the faces (docs/theory.md, "Sources").
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dg {

/// The faces on this rank.
struct SourceSurface {
  /// A face seen from one of its elements.
  struct Side {
    std::uint32_t element;  // local
    std::uint8_t face;
    bool ahead;  // whether the element has the field with the wave
  };
  std::vector<std::uint8_t> in_total;    // [elements] whether an element is in the total field of a box; else empty
  std::vector<Side> sides;               // ascending in element and face; of faces inside this rank both
  std::int64_t elements = 0, faces = 0;  // of all ranks: in the total field; of the surface
  double off_plane = 0;                  // m: of sheets and beams, how far a face is from their plane at most
  physics::Medium medium;                // on both sides of the surface; vacuum without faces
  std::string medium_name;               // its volume group; empty without faces
};

/// Whose surface it is, for messages.
struct SurfaceOwner {
  std::string where;      // FILE:LINE: source.NAME
  std::string region;     // the keys of its total field; empty: a plane
};
SurfaceOwner owner_of(const physics::Source& source);

/// The surface of a plane wave's total field: the elements whose centroids are inside the source's box (box_min,
/// box_max), or those of its volume groups (total_field), have it. Collective. Throws Error where there is no such group,
/// where the surface is not inside one lossless material, or where an element with the total field, or one beside the
/// surface, has an absorbing face or is in a layer.
template <class Real>
SourceSurface total_field_surface(const Discretisation<Real>& d, const physics::Source& source,
                                  const parallel::Communicator& comm);

/// Across an axis, at a place on it, with the waves ahead above it or (downwards) below.
struct LaunchPlane {
  int axis = 2;
  double place = 0;  // m
  bool downwards = false;
};

/// The faces between the elements whose centroids are above a plane and those below, of which `has` says that the source
/// has them: by the corners of a face, m. one_medium: whether there must be a single material. Absorbing elements beside
/// it are refused, unless may_leave_out says of the centre of a face there that it may be left out. Collective. Throws
/// Error.
struct PlaneRequest {
  LaunchPlane plane;
  std::function<bool(const std::array<Vec3, 3>&)> has;
  std::function<bool(const Vec3&)> may_leave_out = {};
  bool one_medium = true;
};
template <class Real>
SourceSurface plane_surface(const Discretisation<Real>& d, const SurfaceOwner& owner, const PlaneRequest& request,
                            const parallel::Communicator& comm);

}  // namespace dgtd::dg
