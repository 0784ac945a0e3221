#pragma once
// Cross sections of a homogeneous sphere in vacuum by the series of vector spherical harmonics: G. Mie, Ann. Phys. 330
// (1908) 377; equations (4.53), (4.61), (4.62), (4.88) and (4.89) of C. F. Bohren and D. R. Huffman, Absorption and
// Scattering of Light by Small Particles (1983).
#include "dgtd/physics/medium.hpp"

namespace dgtd::physics {

struct CrossSections {
  double absorption = 0, scattering = 0;  // m^2
};

/// Those of a sphere with a radius (m) in a plane wave at a frequency (Hz). A magnetic conductivity is ignored.
CrossSections sphere_cross_sections(double radius, const Medium& medium, double frequency);

}  // namespace dgtd::physics
