#pragma once
// Elements that contain the points of a lattice.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::observers {

/// A point of the lattice in an element of this rank.
struct LatticeHit {
  std::int64_t point;                 // number in the lattice, x fastest
  std::uint32_t element;              // local
  std::array<double, 4> barycentric;  // in the element
};

/// All points (x[0][i], x[1][j], x[2][k]) that are in the elements, to 1e-9 in barycentric coordinates, so that a point
/// on a face is in both. coordinates: [axis][points] m, ascending. elements: local; the result is in their order, then
/// in that of the points.
std::vector<LatticeHit> find_lattice_hits(const mesh::Subdomain& mesh, std::span<const std::uint32_t> elements,
                                          const std::array<std::vector<double>, 3>& coordinates);
/// The same of all elements of this rank, in ascending order.
std::vector<LatticeHit> find_lattice_hits(const mesh::Subdomain& mesh,
                                          const std::array<std::vector<double>, 3>& coordinates);

}  // namespace dgtd::observers
