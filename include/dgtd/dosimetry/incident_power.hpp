#pragma once
// The power density of the plane waves that a specific absorption rate can refer to.
#include <optional>
#include <vector>

#include "dgtd/physics/medium.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dosimetry {

/// Whether the source's frequency is this one, Hz.
bool has_frequency(const physics::Source& source, double frequency);

/// Mean power density over a period of the case's plane waves of this frequency (Hz), W/m^2: |E|^2 / (2 Z) with the
/// peak phasor E of their sum and the impedance Z of the exterior, which is lossless. Waves of one frequency are
/// coherent, so their fields add, not their powers; a wave's phase is zero at its `position`. Absent where the case has
/// no such wave. Throws Error (bad_input) for coherent waves of different directions or total-field boxes, which have
/// no power density in common, and for pulses.
std::optional<double> incident_power_density(const std::vector<physics::Source>& sources, double frequency,
                                             const physics::Medium& exterior);

}  // namespace dgtd::dosimetry
