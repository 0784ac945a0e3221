#pragma once
// A far field as a body: in each direction as far from the centre as the directivity there.
#include <vector>

#include "dgtd/io/scene.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::observers {

/// Around the box of the far field, as large as it. directivity: [directions] as solver::directions_of has them; text:
/// of the frequency. No surface where the directions are too few for a body, less than 7 theta or 12 phi.
io::Scene pattern_body(const physics::FarField& far, const std::vector<double>& directivity, const std::string& text);

}  // namespace dgtd::observers
