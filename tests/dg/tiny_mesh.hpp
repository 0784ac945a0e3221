#pragma once
// Small irregular meshes for tests that compare with dense matrices.
#include <array>

#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::dg::test {

/// A box of cells[0] x cells[1] x cells[2] cubes with edges of 0.3 m, six tetrahedra each. All vertices
/// are displaced at random (the outer ones too, so the sides are not plane) and numbered at random, so
/// that any two face numbers meet and half the elements are negatively oriented. Elements lie in the
/// volume groups 0 to volume_groups - 1 at random; the six sides are the surface groups xmin, xmax, ….
/// One rank holds it all.
mesh::Subdomain tiny_mesh(const std::array<int, 3>& cells, int volume_groups, unsigned seed);

inline constexpr double tiny_mesh_spacing = 0.3;  // m

}  // namespace dgtd::dg::test
