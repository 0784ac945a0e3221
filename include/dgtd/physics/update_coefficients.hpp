#pragma once
// Update coefficients of the leap-frog schemes, from a medium and a time step dt (s). With semi-implicit conduction (A.
// Taflove, S. C. Hagness, Computational Electrodynamics, 3rd ed., 2005, sec. 3.6), H times the impedance of vacuum:
//   E^{n+1}   = Ca E^n       + Cb (curl H^{n+1/2} - sum_p J_p^{n+1/2})
//   H^{n+1/2} = Da H^{n-1/2} - Db  curl E^n
#include "dgtd/base/constants.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::physics {

/// Those of one field: Ca and Cb of E, Da and Db of H.
struct FieldCoefficients {
  double a, b;  // 1, m
};

/// relative: permittivity or permeability; loss: conductivity dt / (2 permittivity), of H magnetic ones.
///   a = (1 - loss) / (1 + loss),   b = c0 dt / relative / (1 + loss)
constexpr FieldCoefficients field_coefficients(double relative, double loss, double dt) {
  return {(1 - loss) / (1 + loss), speed_of_light * dt / relative / (1 + loss)};
}

struct UpdateCoefficients {
  double Ca, Cb, Da, Db;  // 1, m, 1, m
};

/// Update coefficients from a medium's permittivity, permeability and conductivities for a time step, s; its poles are
/// currents (pole_coefficients).
UpdateCoefficients update_coefficients(const Medium& medium, double dt);

/// Update coefficients of a pole's current J times the impedance of vacuum (V/m^2), and its charge Q, which only
/// resonant poles have:
///   J <- Ja J + Jb E^n - Jc Q,   Q <- Q + J + Jd E^n,
/// where only a critical point has a Jd. Debye poles and critical points have besides a conductivity, which is the
/// medium's (conductivity_of_pole).
struct PoleCoefficients {
  double Ja, Jb, Jc, Jd;  // 1, 1/m, 1, 1/m
};
PoleCoefficients pole_coefficients(const Pole& pole, double dt);

/// The part of a pole's current that follows E at once, over eps0, 1/s: Debye delta eps / tau, critical point d. It may
/// be negative.
double conductivity_of_pole(const Pole& pole);

/// Coefficients of a convolutional perfectly matched layer with kappa = 1 (J. A. Roden, S. D. Gedney, Microw. Opt.
/// Technol. Lett. 27 (2000) 334): psi <- b psi + c dF for a derivative dF. conductivity: over eps0, 1/s, above 0;
/// shift: alpha, 1/s.
struct LayerCoefficients {
  double b, c;
};
LayerCoefficients layer_coefficients(double conductivity, double shift, double dt);

}  // namespace dgtd::physics
