#pragma once
// Solids of directions of their own on structured grids.
#include "dgtd/geometry/revolution.hpp"
#include "dgtd/geometry/turn.hpp"
#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

/// A box with these edges (m), an ellipsoid with these half axes, and make_prism's prism, turned about the centre. They
/// throw Error for a body without volume.
std::shared_ptr<const Solid> make_turned_box(const Vec3& centre, const Vec3& size, const geometry::Turn& turn);
std::shared_ptr<const Solid> make_turned_ellipsoid(const Vec3& centre, const Vec3& radii, const geometry::Turn& turn);
std::shared_ptr<const Solid> make_turned_prism(const std::vector<std::array<double, 2>>& corners, int axis,
                                               const Vec3& centre, double height, const geometry::Turn& turn);

/// axis: of unit length. They throw Error for a body without volume, and for a tube that is as wide as its circle.
std::shared_ptr<const Solid> make_cone(const geometry::Cone& cone, const Vec3& centre, const Vec3& axis);
std::shared_ptr<const Solid> make_torus(const geometry::Torus& torus, const Vec3& centre, const Vec3& axis);

}  // namespace dgtd::grid
