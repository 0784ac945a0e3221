#pragma once
// Far fields of which a part is an image: boxes that end at mirrors of the domain.
#include <array>
#include <optional>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::app {

/// The mirrors at which the box of a far field ends, of the sides xmin, xmax, ymin ... zmax.
using ReachedMirrors = std::array<std::optional<solver::ImagePlane>, 6>;

/// The planes of the images, which the log tells. Throws Error (bad_input) where the mirrors of an axis face each other,
/// and where there is no mirror at far.ground.
std::vector<solver::ImagePlane> far_field_images(const physics::FarField& far, const ReachedMirrors& reached);

}  // namespace dgtd::app
