#pragma once
// Quadrature on planes and boxes that cut tetrahedra: the exact surface, whose cut with each element is a polygon.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::observers {

/// A point of a quadrature in an element of this rank.
struct SurfacePoint {
  std::uint32_t element;              // local
  std::array<double, 4> barycentric;  // in the element
  Vec3 position;                      // m
  int axis;                           // of the normal
  double area;                        // m^2, with the sign of the outward normal along the axis
};

/// Places along the axes, m, of the sides xmin, xmax, ymin … zmax of a mesh that are mirrors (pec, pmc).
using Mirrors = std::array<std::optional<double>, 6>;

/// Points on the plane or on the faces of the box, without those at mirrors, through which nothing flows; in the order of `stored`, all local elements. Each polygon of a cut
/// is divided into triangles with Gauss points that integrate products of two polynomials of degree `order` exactly,
/// such as E x H. What is on a face between two elements belongs to the one below along the axis, so that the points
/// of all ranks do not depend on their number. Places within 1e-9 of the mesh's size are equal. section: for messages,
/// such as "flux.NAME". Collective. Throws Error (bad_input) where a part of the surface is outside of the mesh,
/// or in added layers, and where no face is left.
std::vector<SurfacePoint> mesh_surface(const physics::Flux& flux, const std::string& section,
                                       const mesh::Subdomain& mesh, std::span<const std::uint32_t> stored, int order,
                                       const parallel::Communicator& comm, const Mirrors& mirrors = {});

/// Such points on the faces between elements that are in a plane, inside of its size, half of a face's area on either
/// side of it, which is the mean of both. In the order of `stored`.
std::vector<SurfacePoint> points_on_faces(const physics::Flux& plane, const mesh::Subdomain& mesh,
                                          std::span<const std::uint32_t> stored, int order);

}  // namespace dgtd::observers
