#pragma once
// A linear, isotropic medium, which may be dispersive: what solvers, observers and powers take of a material. Its
// permittivity is a sum of Drude, Lorentz, Debye and critical-point terms.
#include <complex>
#include <string>
#include <vector>

namespace dgtd::physics {

/// One term of a dispersive permittivity. What its type does not name stays 0.
struct Pole {
  enum class Type { drude, lorentz, debye, critical_point };
  Type type = Type::drude;
  double strength = 0;   // drude: plasma frequency, lorentz: omega_p, rad/s; debye: delta eps, critical point: A, 1
  double resonance = 0;  // lorentz: omega_0, critical point: Omega, rad/s
  double damping = 0;    // drude, lorentz, critical point: Gamma, rad/s
  double relaxation_time = 0;  // debye: tau, s
  double phase = 0;            // critical point: phi, rad

  bool operator==(const Pole&) const = default;
};

/// Susceptibility of second order, chi(s) = (c + d s) / (s^2 + f s + e) with s = -i omega: c and e in 1/s^2, d and f in
/// 1/s.
struct SecondOrder {
  double c, d, f, e;
};

/// A Drude or Lorentz pole, for which d = 0, or a critical point
///   A Omega (exp(i phi) / (Omega - omega - i Gamma) + exp(-i phi) / (Omega + omega + i Gamma))
/// (P. G. Etchegoin et al., J. Chem. Phys. 125 (2006) 164705), which is the pair of complex poles q = -Gamma -+ i
/// Omega.
SecondOrder second_order(const Pole& pole);

struct Medium {
  double permittivity = 1, permeability = 1;           // relative; with poles, that of infinite frequency
  double conductivity = 0, magnetic_conductivity = 0;  // S/m, ohm/m
  std::vector<Pole> poles = {};                        // added to the permittivity
  bool perfect_conductor = false;                      // E is zero inside; all other members are ignored

  /// Whether it neither absorbs nor disperses.
  bool is_lossless() const { return conductivity == 0 && magnetic_conductivity == 0 && poles.empty(); }
  bool operator==(const Medium&) const = default;
};

/// Gold between 300 and 1200 nm, eps_r = 1: P. Wahl et al., "B-CALM: an open-source GPU-based 3D-FDTD with multi-pole
/// dispersion for plasmonics", Opt. Quant. Electron. 44 (2012), Table 1, after A. D. Rakic et al., Appl. Opt. 37 (1998)
/// 5271.
std::vector<Pole> gold_poles();

/// Relative permittivity for the time factor exp(-i omega t), with conductivity and poles: Im > 0 absorbs. omega in
/// rad/s.
std::complex<double> permittivity(const Medium& medium, double angular_frequency);

/// c / (f |index|), m: what cells and elements resolve, since the modulus of the index counts waves and their decay
/// alike. frequency in Hz.
double length_of_variation(const Medium& medium, double frequency);

/// Conductivity of conduction and poles, omega eps0 Im eps, S/m. omega in rad/s.
double conductivity(const Medium& medium, double angular_frequency);

/// Throws Error where Im eps < 0 in the band [lowest, highest] (rad/s): the material would give power away.
/// The band is sampled, most densely around the poles.
void check_passive(const std::string& material, const Medium& medium, double lowest, double highest);

/// Throws Error where a medium with critical points has Im eps < 0 at any frequency, by itself (dt = 0) or as the
/// leap-frog of a grid with the time step dt (s) has it (docs/theory.md, "Yee's scheme"). What the sum of its poles
/// gives away outside of the band of the sources grows there from rounding errors. Other media pass: their poles are
/// passive one by one.
void check_critical_points(const std::string& material, const Medium& medium, double dt = 0);

}  // namespace dgtd::physics
