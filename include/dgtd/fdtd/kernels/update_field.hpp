#pragma once
// A cell's part of a half step.
//   E^{n+1}   = Ca E^n       + Cb (curl H^{n+1/2} - sum_p J_p^{n+1/2})     H, J times the impedance of vacuum
//   H^{n+1/2} = Da H^{n-1/2} - Db  curl E^n
// Ca and Cb hold conductivity by the mean of old and new value (physics/update_coefficients.hpp). In code that serves
// both fields Ca and Cb are also those of H, Da and Db.
//
// Poles, explicit and of second order, one form for all:
//   J <- Ja J + Jb E^n - Jc Q,   Q <- Q + J + Jd E^n
//   Lorentz  dJ/dt + G J + w0^2 P = eps0 wp^2 E, P = dt Q;   Drude the same with w0 = 0
//   Debye    tau dP/dt + P = eps0 d_eps E at half steps, J = -P / tau, and eps0 d_eps / tau is in the conductivity
//   critical point  dJ/dt + f J + e P = eps0 (c - f d) E, dP/dt = J + eps0 d E, P = dt Q + eps0 d dt/2 E, and eps0 d is
//                   in the conductivity (physics::SecondOrder); only it has a Jd
// (Wahl et al. 2012, eq. (2), has the same poles with E^{n-1} kept instead of Q.)
#include "dgtd/fdtd/kernels/curl.hpp"

namespace dgtd::fdtd {

/// Classes of a row's components. Where a tile is of one class it is the same for all lanes, and no vector.
template <class Stored, bool mixed, int lanes>
struct RowMedium {
  static constexpr int media = mixed ? lanes : 1;
  int number[3][media];
  bool same[3] = {true, true, true};  // for all lanes, of a component

  DGTD_HOST_DEVICE RowMedium(const HalfStepView<Stored>& v, const Tile& tile, const Row& row) {
    static_for<3>([&](auto c) DGTD_INLINE {
      if constexpr (mixed) {
        const std::uint16_t* const class_of =
            v.class_of + (std::int64_t(tile.classes) * 3 + c) * cells_of_tile + row.cell;
        for_lanes<lanes>([&](int l) DGTD_INLINE { number[c][l] = int(load(class_of + l)); });
        if constexpr (lanes > 1) {
          std::uint16_t differences = 0;
          for (int l = 0; l < lanes; ++l) differences |= static_cast<std::uint16_t>(class_of[l] ^ class_of[0]);
          same[c] = differences == 0;
        }
      } else {
        number[c][0] = tile.medium_class;
      }
    });
  }
  DGTD_HOST_DEVICE int at(int c, int l) const { return number[c][mixed ? l : 0]; }
};

template <class Stored, int lanes, class Number>
DGTD_HOST_DEVICE void load_old(const HalfStepView<Stored>& v, const Row& row, Number (&u)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE {
    const Stored* const from = v.target[c] + row.n;
    if constexpr (std::is_same_v<Number, float> && is_compressed<Stored> && lanes > 1) decode_lanes<lanes>(from, u[c]);
    else for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = Number(from[l]); });
  });
}

/// State of a pole besides its current.
enum class PoleForm { plain, resonant, critical };  // nothing; a charge; a charge with Jd

/// Advances a pole of lanes next to each other by a step and adds J to their sums. Ja, Jb, Jc and Jd:
/// [lanes], or [1] where all lanes have the same ones.
template <PoleForm form, int lanes, int poles, class Real>
inline void advance_pole(const Real (&Ja)[poles], const Real (&Jb)[poles], const Real (&Jc)[poles],
                         const Real (&Jd)[poles], const Real* electric, Real* current, Real* charge, Real* sum) {
  constexpr bool resonant = form != PoleForm::plain;
  const Real one_Ja = Ja[0], one_Jb = Jb[0], one_Jc = Jc[0], one_Jd = Jd[0];
  for_lanes<lanes>([&](int l) DGTD_INLINE {
    const Real a = poles > 1 ? Ja[poles > 1 ? l : 0] : one_Ja;
    const Real b = poles > 1 ? Jb[poles > 1 ? l : 0] : one_Jb;
    const Real c = poles > 1 ? Jc[poles > 1 ? l : 0] : one_Jc;
    Real q = resonant ? charge[l] : Real(0);
    const Real new_current = a * current[l] + b * electric[l] - c * q;
    sum[l] += new_current;
    current[l] = new_current;
    if constexpr (form == PoleForm::critical) q += (poles > 1 ? Jd[poles > 1 ? l : 0] : one_Jd) * electric[l];
    if constexpr (resonant) charge[l] = q + new_current;
  });
}

/// Advances the poles of a component of lanes next to each other. set: of the lanes, [lanes] or, of all of them, [1].
template <int lanes, int sets, class Stored, class Real = arithmetic_t<Stored>>
inline void advance_poles_of_lanes(const HalfStepView<Stored>& v, const int (&set)[sets],
                                   const std::type_identity_t<Real>* electric, std::type_identity_t<Real>* currents,
                                   std::type_identity_t<Real>* sum) {
  for (int p = 0; p < v.pole_count; ++p) {
    Real Ja[sets], Jb[sets], Jc[sets], Jd[sets];
    for (int l = 0; l < sets; ++l) {
      const PoleCoefficients<Real> pole = v.pole_at(set[l], p);
      Ja[l] = pole.Ja, Jb[l] = pole.Jb, Jc[l] = pole.Jc, Jd[l] = pole.Jd;
    }
    Real* const current = currents + p * tile_cells(0);
    Real* const charge = current + v.pole_count * tile_cells(0);
    if (p < v.critical_count) advance_pole<PoleForm::critical, lanes>(Ja, Jb, Jc, Jd, electric, current, charge, sum);
    else if (p < v.resonant_count)
      advance_pole<PoleForm::resonant, lanes>(Ja, Jb, Jc, Jd, electric, current, charge, sum);
    else advance_pole<PoleForm::plain, lanes>(Ja, Jb, Jc, Jd, electric, current, charge, sum);
  }
}

/// advance_poles on a CPU: rows and groups of lanes of one set of poles, which most are, share its coefficients; those
/// without poles are left out.
template <class Stored, bool mixed, int lanes>
inline void advance_poles_of_row(const HalfStepView<Stored>& v, const Tile& tile, const Row& row,
                                 const RowMedium<Stored, mixed, lanes>& medium,
                                 const arithmetic_t<Stored> (&electric)[3][lanes],
                                 arithmetic_t<Stored> (&sum)[3][lanes]) {
  using Real = arithmetic_t<Stored>;
  for (int c = 0; c < 3; ++c) {
    for (int l = 0; l < lanes; ++l) sum[c][l] = 0;
    Real* const currents = v.current_at(tile.poles, c, 0, row.cell);
    if (medium.same[c]) {
      const int common[1] = {v.poles_of_class[medium.at(c, 0)]};
      if (common[0] > 0) advance_poles_of_lanes<lanes>(v, common, electric[c], currents, sum[c]);
      continue;
    }
    constexpr int group = 8;
    for (int first = 0; first < lanes; first += group) {
      int set[group], differences = 0;
      for (int l = 0; l < group; ++l) set[l] = v.poles_of_class[medium.at(c, first + l)];
      for (int l = 1; l < group; ++l) differences |= set[l] ^ set[0];
      const int common[1] = {set[0]};
      if (differences != 0)
        advance_poles_of_lanes<group>(v, set, electric[c] + first, currents + first, sum[c] + first);
      else if (common[0] > 0)
        advance_poles_of_lanes<group>(v, common, electric[c] + first, currents + first, sum[c] + first);
    }
  }
}

/// Advances the currents of a row's poles by a step and adds them up, V/m^2. A component without poles has set 0,
/// whose coefficients are zero; its currents are left alone. All that a pole reads is loaded before anything is stored.
template <class Stored, bool mixed, int lanes>
DGTD_HOST_DEVICE void advance_poles(const HalfStepView<Stored>& v, const Tile& tile, const Row& row,
                                    const RowMedium<Stored, mixed, lanes>& medium,
                                    const arithmetic_t<Stored> (&electric)[3][lanes],
                                    arithmetic_t<Stored> (&sum)[3][lanes]) {
  using Real = arithmetic_t<Stored>;
#if !defined(__CUDA_ARCH__)
  if constexpr (lanes > 1) return advance_poles_of_row(v, tile, row, medium, electric, sum);
#endif
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
        const bool here = set[c][mixed ? l : 0] > 0;
        j[c][l] = here ? current[l] : Real(0);
        q[c][l] = here && resonant ? charge[l] : Real(0);
      });
    });
    static_for<3>([&](auto c) DGTD_INLINE {
      Real* const current = v.current_at(tile.poles, c, p, row.cell);
      Real* const charge = v.current_at(tile.poles, c, resonant ? v.pole_count + p : p, row.cell);
      for_lanes<lanes>([&](int l) DGTD_INLINE {
        const PoleCoefficients<Real> pole = v.pole_at(set[c][mixed ? l : 0], p);
        const Real new_current = pole.Ja * j[c][l] + pole.Jb * electric[c][l] - pole.Jc * q[c][l];
        sum[c][l] += new_current;
        if (set[c][mixed ? l : 0] > 0) {
          current[l] = new_current;
          if (p < v.critical_count) q[c][l] += pole.Jd * electric[c][l];
          if (resonant) charge[l] = q[c][l] + new_current;
        }
      });
    });
  }
}

/// u <- Ca u - Cb currents, to which add_curl adds; Cb: [component], for add_curl.
template <RowKind kind, class Stored, bool mixed, int lanes, int media, class Number>
DGTD_HOST_DEVICE void scale_old(const HalfStepView<Stored>& v, const RowMedium<Stored, mixed, lanes>& medium,
                                const arithmetic_t<Stored> (&currents)[3][lanes], arithmetic_t<Stored> (&Cb)[3][media],
                                Number (&u)[3][lanes]) {
  using Real = arithmetic_t<Stored>;
  static_for<3>([&](auto c) DGTD_INLINE {
    Real Ca[media];
    if (media > 1 && medium.same[c]) {
      const MediumClass<Real> m = v.class_at(medium.number[c][0]);
      for_lanes<media>([&](int l) DGTD_INLINE { Ca[l] = m.Ca, Cb[c][l] = m.Cb; });
    } else {
      for_lanes<media>([&](int l) DGTD_INLINE {
        const MediumClass<Real> m = v.class_at(medium.number[c][l]);
        Ca[l] = m.Ca;
        Cb[c][l] = m.Cb;
      });
    }
    for_lanes<lanes>([&](int l) DGTD_INLINE {
      const int m = mixed ? l : 0;
      u[c][l] = Number(Ca[m]) * u[c][l];
      if constexpr (kind.dispersive) u[c][l] = multiply_add(-Cb[c][m], currents[c][l], u[c][l]);
    });
  });
}

/// Damps tiles in an adiabatic absorber: E <- a E, before and after its half step, with a = a_x a_y a_z at the place of
/// each component and a_b = exp(-sigma_b dt / (2 eps)) (docs/theory.md, Absorbing layers). Other tiles stay as they
/// are.
template <RowKind kind, class Stored, int lanes, class Number>
DGTD_HOST_DEVICE void damp(const HalfStepView<Stored>& v, const Tile& tile, const Row& row, Number (&u)[3][lanes]) {
  using Real = arithmetic_t<Stored>;
  if constexpr (kind.layered && kind.direction == Difference::backward) {
    if (!tile.damped) return;
    static_for<3>([&](auto c) DGTD_INLINE {
      const Real across =
          load(v.damping[1][c == 1 ? 1 : 0] + row.at[1]) * load(v.damping[2][c == 2 ? 1 : 0] + row.at[2]);
      const Real* const along = v.damping[0][c == 0 ? 1 : 0] + row.at[0];
      for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = u[c][l] * Number(across * load(along + l)); });
    });
  }
}

/// A number that is computed with as a field's array has it.
template <class Stored, class Number>
DGTD_HOST_DEVICE Stored as_stored(Number u) {
  if constexpr (std::is_same_v<Number, HalfNumber>) return u.stored();
  else return static_cast<Stored>(u);
}

template <class Stored, int lanes, class Number>
DGTD_HOST_DEVICE void store_new(const HalfStepView<Stored>& v, const Row& row, const Number (&u)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE {
    Stored* const to = v.target[c] + row.n;
    if constexpr (is_compressed<Stored> && lanes > 1 && !std::is_same_v<Number, HalfNumber>)
      encode_lanes<lanes>(u[c], to);
    else for_lanes<lanes>([&](int l) DGTD_INLINE { to[l] = as_stored<Stored>(u[c][l]); });
  });
}

/// E from H (backward differences) or H from E (forward ones). From Ca u on the sum goes on as the equation is
/// written: currents, then the derivatives along x, y and z. Arithmetic: what fields are computed in.
template <class Stored, RowKind kind, class Arithmetic = arithmetic_t<Stored>>
struct UpdateField {
  using Number = Stored;
  using Real = arithmetic_t<Stored>;
  static constexpr bool long_kernel = kind.layered || kind.dispersive;
  HalfStepView<Stored> v;

  template <int lanes>
  DGTD_HOST_DEVICE void cells(const Tile& tile, int i, int j, int k) const {
    const Row row = row_of(v.layout, tile, i, j, k);
    Arithmetic u[3][lanes];
    advance(tile, row, u);
    store_new(v, row, u);
  }

  /// u: the new field of a row's cells. What a half step has besides (psi, currents of poles) is stored.
  template <int lanes>
  DGTD_HOST_DEVICE void advance(const Tile& tile, const Row& row, Arithmetic (&u)[3][lanes]) const {
    const RowMedium<Stored, kind.mixed, lanes> medium(v, tile, row);
    Real currents[3][lanes], Cb[3][RowMedium<Stored, kind.mixed, lanes>::media];
    load_old(v, row, u);
    if constexpr (kind.dispersive) advance_poles(v, tile, row, medium, u, currents);
    damp<kind>(v, tile, row, u);
    scale_old<kind>(v, medium, currents, Cb, u);
    add_curl<kind>(v, tile, row, Cb, u);
    damp<kind>(v, tile, row, u);
  }
};

}  // namespace dgtd::fdtd
