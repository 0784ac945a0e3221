#pragma once
// Permittivity that depends on the frequency: sums of Drude, Lorentz and Debye terms.
#include <complex>
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"

namespace dgtd::physics {

using config::Pole;

/// Relative permittivity for the time factor exp(-i omega t): Im > 0 absorbs. sigma in S/m, omega in rad/s.
std::complex<double> permittivity(double eps_infinity, double sigma, const std::vector<Pole>& poles,
                                  double angular_frequency);

/// Throws Error where Im eps < 0 in the band [lowest, highest] (rad/s): the material would give power away.
/// The band is sampled, most densely around the poles.
void check_passive(const std::string& material, double eps_infinity, double sigma, const std::vector<Pole>& poles,
                   double lowest, double highest);

}  // namespace dgtd::physics
