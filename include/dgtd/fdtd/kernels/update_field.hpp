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

/// Classes of a row's components. Where a tile is of one class it is the same for all lanes, and no vector.
template <class Real, bool mixed, int lanes>
struct RowMedium {
  static constexpr int media = mixed ? lanes : 1;
  int number[3][media];

  DGTD_HOST_DEVICE RowMedium(const HalfStepView<Real>& v, const Tile& tile, const Row& row) {
    static_for<3>([&](auto c) DGTD_INLINE {
      if constexpr (mixed) {
        const std::uint16_t* const class_of =
            v.class_of + (std::int64_t(tile.classes) * 3 + c) * cells_of_tile + row.cell;
        for_lanes<lanes>([&](int l) DGTD_INLINE { number[c][l] = int(load(class_of + l)); });
      } else {
        number[c][0] = tile.medium_class;
      }
    });
  }
  DGTD_HOST_DEVICE int at(int c, int l) const { return number[c][mixed ? l : 0]; }
};

template <class Real, int lanes>
DGTD_HOST_DEVICE void load_old(const HalfStepView<Real>& v, const Row& row, Real (&u)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE {
    const Real* const from = v.target[c] + row.n;
    for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = from[l]; });
  });
}

/// Advances the currents of a row's poles by a step and adds them up, V/m^2. A component without poles has set 0,
/// whose coefficients are zero; a GPU leaves its currents alone. All that a pole reads is loaded before
/// anything is stored.
template <class Real, bool mixed, int lanes>
DGTD_HOST_DEVICE void advance_poles(const HalfStepView<Real>& v, const Tile& tile, const Row& row,
                                    const RowMedium<Real, mixed, lanes>& medium, const Real (&electric)[3][lanes],
                                    Real (&sum)[3][lanes]) {
  constexpr int sets = mixed ? lanes : 1;
  int set[3][sets];
  static_for<3>([&](auto c) DGTD_INLINE {
    for_lanes<sets>([&](int l) DGTD_INLINE { set[c][l] = load(v.poles_of_class + medium.number[c][l]); });
    for_lanes<lanes>([&](int l) DGTD_INLINE { sum[c][l] = 0; });
  });
  for (int p = 0; p < v.pole_count; ++p) {
    const bool resonant = p < v.resonant_count;
    Real j[3][lanes], q[3][lanes];
    static_for<3>([&](auto c) DGTD_INLINE {
      const Real* const current = v.current_at(tile.poles, c, p, row.cell);
      const Real* const charge = v.current_at(tile.poles, c, resonant ? v.pole_count + p : p, row.cell);
      for_lanes<lanes>([&](int l) DGTD_INLINE {
        const bool here = lanes > 1 || set[c][mixed ? l : 0] > 0;
        j[c][l] = here ? current[l] : Real(0);
        q[c][l] = here && resonant ? charge[l] : Real(0);
      });
    });
    static_for<3>([&](auto c) DGTD_INLINE {
      Real* const current = v.current_at(tile.poles, c, p, row.cell);
      Real* const charge = v.current_at(tile.poles, c, resonant ? v.pole_count + p : p, row.cell);
      for_lanes<lanes>([&](int l) DGTD_INLINE {
        const PoleCoefficients<Real> pole = v.pole_at(set[c][mixed ? l : 0], p);
        const Real new_current = pole.keep * j[c][l] + pole.drive * electric[c][l] - pole.restore * q[c][l];
        sum[c][l] += new_current;
        if (lanes > 1 || set[c][mixed ? l : 0] > 0) {
          current[l] = new_current;
          if (resonant) charge[l] = q[c][l] + new_current;
        }
      });
    });
  }
}

/// u <- keep u - rate currents, to which add_curl adds; rates: those of the components.
template <bool dispersive, class Real, bool mixed, int lanes, int media>
DGTD_HOST_DEVICE void keep_old(const HalfStepView<Real>& v, const RowMedium<Real, mixed, lanes>& medium,
                               const Real (&currents)[3][lanes], Real (&rates)[3][media], Real (&u)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE {
    Real keep[media];
    for_lanes<media>([&](int l) DGTD_INLINE {
      const MediumClass<Real> m = v.class_at(medium.number[c][l]);
      keep[l] = m.keep;
      rates[c][l] = m.rate;
    });
    for_lanes<lanes>([&](int l) DGTD_INLINE {
      const int m = mixed ? l : 0;
      u[c][l] = keep[m] * u[c][l];
      if constexpr (dispersive) u[c][l] = multiply_add(-rates[c][m], currents[c][l], u[c][l]);
    });
  });
}

template <class Real, int lanes>
DGTD_HOST_DEVICE void store_new(const HalfStepView<Real>& v, const Row& row, const Real (&u)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE {
    Real* const to = v.target[c] + row.n;
    for_lanes<lanes>([&](int l) DGTD_INLINE { to[l] = u[c][l]; });
  });
}

/// E from H (backward differences) or H from E (forward ones). From keep u on the sum goes on as the equation is
/// written: currents, then the derivatives along x, y and z.
template <class Real, Difference direction, bool layered, bool mixed, bool dispersive>
struct UpdateField {
  using Number = Real;
  static constexpr bool long_kernel = layered || dispersive;
  HalfStepView<Real> v;

  template <int lanes>
  DGTD_HOST_DEVICE void cells(const Tile& tile, int i, int j, int k) const {
    const Row row = row_of(v.layout, tile, i, j, k);
    const RowMedium<Real, mixed, lanes> medium(v, tile, row);
    Real u[3][lanes], currents[3][lanes], rates[3][RowMedium<Real, mixed, lanes>::media];
    load_old(v, row, u);
    if constexpr (dispersive) advance_poles(v, tile, row, medium, u, currents);
    keep_old<dispersive>(v, medium, currents, rates, u);
    add_curl<Real, direction, layered>(v, tile, row, rates, u);
    store_new(v, row, u);
  }
};

}  // namespace dgtd::fdtd
