#pragma once
// A plane wave as the grid itself carries it.
#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

struct GridWave {
  double slowness;  // of the phase, s/m
  Vec3 electric;    // the polarisation made normal to the grid's wave vector, of unit length
  Vec3 magnetic;    // H times the impedance of vacuum of that E
};

/// Of a uniform grid of cells `spacing` (m), without error at one angular frequency (rad/s).
GridWave grid_wave(const Vec3& direction, const Vec3& polarisation, const Vec3& spacing, double angular_frequency,
                   double time_step, double permittivity, double permeability);

}  // namespace dgtd::fdtd
