#pragma once
// A plane wave as the grid itself carries it.
#include <array>
#include <cstdint>

#include "dgtd/grid/setup.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::fdtd {

struct GridWave {
  double slowness;  // of the phase, s/m
  Vec3 electric;    // the polarisation made normal to the grid's wave vector, of unit length
  Vec3 magnetic;    // H times the impedance of vacuum of that E
};

/// The source's wave along `direction` in the grid's background, without error at the source's frequency where the
/// cells are those of `cell`. time_step: s.
GridWave grid_wave(const grid::Setup& setup, const physics::Source& source, const Vec3& direction,
                   const std::array<std::int64_t, 3>& cell, double time_step);

}  // namespace dgtd::fdtd
