#pragma once
// Absorbing layers of one profile around a mesh, for waves of 1 m.
#include <optional>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/physics/absorbing_layer.hpp"
#include "study.hpp"

namespace dgtd::verification {

inline constexpr double wave_number = 2 * pi;  // rad/m

/// Damps the layers that the mesh of the problem has got, all of one profile: strata of a passive layer, or with a loss
/// of a convolutional one for wavelengths of 1 m. Returns the rates of the strata, 1/s, [strata] from inside.
std::vector<double> damp(Problem& problem, const std::vector<mesh::AddedLayers>& layers,
                         const physics::LayerProfile& profile, std::optional<double> loss = {});

}  // namespace dgtd::verification
