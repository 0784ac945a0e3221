#pragma once
// Permittivity that depends on the frequency: sums of Drude, Lorentz and Debye terms.
#include <complex>
#include <string>
#include <vector>

namespace dgtd::physics {

/// A term of the relative permittivity.
struct Pole {
  enum class Type { drude, lorentz, debye } type = Type::drude;
  double strength = 0;         // drude and lorentz: plasma frequency omega_p, rad/s; debye: delta eps, 1
  double resonance = 0;        // lorentz: omega_0, rad/s
  double damping = 0;          // drude and lorentz: Gamma, rad/s
  double relaxation_time = 0;  // debye: tau, s
};

/// Relative permittivity for the time factor exp(-i omega t): Im > 0 absorbs. sigma in S/m, omega in rad/s.
std::complex<double> permittivity(double eps_infinity, double sigma, const std::vector<Pole>& poles, double angular_frequency);

/// Gold between 300 and 1200 nm, with eps_infinity = 1 and sigma = 0.
const std::vector<Pole>& gold_poles();

/// Throws Error where Im eps < 0 in the band [lowest, highest] (rad/s): the material would give power away.
/// The band is sampled, most densely around the poles.
void check_passive(const std::string& material, double eps_infinity, double sigma, const std::vector<Pole>& poles,
                   double lowest, double highest);

}  // namespace dgtd::physics
