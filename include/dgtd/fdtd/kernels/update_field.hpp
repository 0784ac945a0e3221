#pragma once
// A cell's part of a half step.
//   E^{n+1}   = keep E^n       + rate (curl H^{n+1/2} - sum_p J_p^{n+1/2})     H, J times the impedance of vacuum
//   H^{n+1/2} = keep H^{n-1/2} - rate  curl E^n
// keep and rate hold conductivity by the mean of old and new value.
//
// Poles, explicit and of second order, one form for all:
//   J <- keep J + drive E^n - restore Q,   Q <- Q + J
//   Lorentz  dJ/dt + G J + w0^2 P = eps0 wp^2 E, P = dt Q;   Drude the same with w0 = 0
//   Debye    tau dP/dt + P = eps0 d_eps E at half steps, J = -P / tau, and eps0 d_eps / tau is in the conductivity
// (Wahl et al. 2012, eq. (2), has the same poles with E^{n-1} kept instead of Q.)
#include "dgtd/fdtd/kernels/curl.hpp"

namespace dgtd::fdtd {

/// Advances the currents of a component's poles by a step; returns their sum, V/m^2.
template <class Real>
DGTD_HOST_DEVICE Real advance_poles(const HalfStepView<Real>& v, const Tile& tile, int component, int set, int cell, Real electric) {
  Real sum = 0;
  const PoleCoefficients<Real>* const poles = v.poles + std::int64_t(set) * v.pole_count;
  for (int p = 0; p < v.pole_count; ++p) {
    const PoleCoefficients<Real> c = poles[p];
    Real* const current = v.current_at(tile.poles, component, p, cell);
    Real j = c.keep * *current + c.drive * electric;
    if (p < v.resonant_count) {
      Real* const charge = v.current_at(tile.poles, component, v.pole_count + p, cell);
      j -= c.restore * *charge;
      *charge += j;
    }
    *current = j;
    sum += j;
  }
  return sum;
}

/// E from H (backward differences) or H from E (forward ones).
template <class Real, Difference direction, bool layered, bool mixed, bool dispersive>
struct UpdateField {
  HalfStepView<Real> v;

  DGTD_HOST_DEVICE void cell(const Tile& tile, int ii, int jj, int kk) const {
    const int at[3] = {tile.first[0] + ii, tile.first[1] + jj, tile.first[2] + kk};
    const std::int64_t n = v.layout.index(at[0], at[1], at[2]);
    const int cell = (kk * tile_cells(1) + jj) * tile_cells(0) + ii;
    Real curl[3];
    curl_at<Real, direction, layered>(v, tile, at, n, cell, curl);
    static_for<3>([&](auto component) DGTD_INLINE {
      const int medium = mixed ? int(v.class_of[(std::int64_t(tile.classes) * 3 + component) * cells_of_tile + cell]) : tile.medium_class;
      const MediumClass<Real> c = v.classes[medium];
      Real& u = v.target[component][n];
      Real change = direction == Difference::backward ? curl[component] : -curl[component];
      if constexpr (dispersive) {
        const int set = v.poles_of_class[medium];
        if (set > 0) change -= advance_poles(v, tile, component, set, cell, u);
      }
      u = c.keep * u + c.rate * change;
    });
  }
};

}  // namespace dgtd::fdtd
