#pragma once
// Permittivity that depends on the frequency: sums of Drude, Lorentz and Debye terms.
#include <complex>
#include <string>
#include <vector>

namespace dgtd::physics {

/// One term of a dispersive permittivity. What its type does not name stays 0.
struct Pole {
  enum class Type { drude, lorentz, debye };
  Type type = Type::drude;
  double strength = 0;         // drude: plasma frequency, lorentz: omega_p, rad/s; debye: delta eps, 1
  double resonance = 0;        // lorentz: omega_0, rad/s
  double damping = 0;          // drude, lorentz: Gamma, rad/s
  double relaxation_time = 0;  // debye: tau, s

  bool operator==(const Pole&) const = default;
};

/// Gold between 300 and 1200 nm, eps_r = 1: P. Wahl et al., "B-CALM: an open-source GPU-based 3D-FDTD with multi-pole
/// dispersion for plasmonics", Opt. Quant. Electron. 44 (2012), Table 1, after A. D. Rakic et al., Appl. Opt. 37 (1998)
/// 5271.
std::vector<Pole> gold_poles();

/// Relative permittivity for the time factor exp(-i omega t): Im > 0 absorbs. sigma in S/m, omega in rad/s.
std::complex<double> permittivity(double eps_infinity, double sigma, const std::vector<Pole>& poles,
                                  double angular_frequency);

/// Throws Error where Im eps < 0 in the band [lowest, highest] (rad/s): the material would give power away.
/// The band is sampled, most densely around the poles.
void check_passive(const std::string& material, double eps_infinity, double sigma, const std::vector<Pole>& poles,
                   double lowest, double highest);

}  // namespace dgtd::physics
