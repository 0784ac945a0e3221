#pragma once
// Sources, probes and regions of a case, as lines of a view in three dimensions and of cuts.
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/io/scene.hpp"

namespace dgtd::app {

/// Sources with arrows, probes as crosses, boxes and planes of fluxes, monitors, snapshots and far fields, as far as
/// they are in the domain, and on grids the domain and its absorbing layers. In this order: domain, layers, then those
/// by their names in the case. around: the domain or its bodies, m: arrows and crosses are a part of it, and plane
/// waves come from outside of it.
std::vector<io::Scene::Lines> lines_of(const config::Case& c, const std::array<Vec3, 2>& domain,
                                       const std::array<Vec3, 2>& around);

}  // namespace dgtd::app
