#pragma once
// Poles of a dispersive medium beside E (docs/theory.md, "Dispersive media"), by the trapezoidal rule in closed form.
// With v = dt dP/dt at integer steps, P in units of E (divided by eps_inf), one pole has the mean current of a step
//   j = K v^n + C1 (E^n + E^{n+1}) / 2 - C2 P^n,   P^{n+1} = P^n + j,   v^{n+1} = 2 j - v^n,
// where a Drude pole has no P, and a Debye pole no v, and v^{n+1} of a critical point has - C3 (E^n + E^{n+1}) / 2
// besides; E has
//   E^{n+1} - E^n = Cb G r - A E^n - D sum (K v^n - C2 P^n),
//   D = 1 / (1 + s + sum C1 / 2),   A = 2 (1 - D),   Cb = c0 dt / eps_inf D,   s = sigma dt / (2 eps_inf).
#include <cstdint>

#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

/// The state of elements (Discretisation::states) that has what poles keep.
inline constexpr int state_of_poles = 0;

/// Numbers of poles of a medium by what they keep of each coefficient of E.
struct PoleCounts {
  std::uint8_t lorentz = 0;   // v and P
  std::uint8_t drude = 0;     // v
  std::uint8_t debye = 0;     // P
  std::uint8_t critical = 0;  // v and P of critical points
  bool operator==(const PoleCounts&) const = default;
  DGTD_HOST_DEVICE int poles() const { return lorentz + drude + debye + critical; }
  DGTD_HOST_DEVICE int kept() const { return 2 * (lorentz + critical) + drude + debye; }
};

/// State of a pole, of which v, if any, comes first, and whether it has a C3.
template <bool v, bool P, bool C3 = false>
struct PoleKind {
  static constexpr bool has_v = v, has_P = P, has_C3 = C3;
};

/// Places in a row of the table of media: D, A, then K, C1, C2 of the pole at place q; where some medium has critical
/// points also C3 of each of these, which have the last places q, and 1 for a medium whose poles' energy is known.
inline constexpr int factor_of_current = 0, factor_of_field = 1;
DGTD_HOST_DEVICE int first_coefficient(int q) { return 2 + 3 * q; }
DGTD_HOST_DEVICE int C3_coefficient(const PoleCounts& most, int q) {
  return first_coefficient(most.poles()) + q - (most.poles() - most.critical);
}
DGTD_HOST_DEVICE int energy_known(const PoleCounts& most) { return C3_coefficient(most, most.poles()); }
DGTD_HOST_DEVICE int reals_of_row(const PoleCounts& most) {
  return most.critical > 0 ? energy_known(most) + 1 : first_coefficient(most.poles());
}

/// body(PoleKind, place q of the pole, first of the numbers that it keeps) for each pole of `here`. most: the most of
/// any medium, by which places are counted.
template <class Body>
DGTD_HOST_DEVICE void for_each_pole(const PoleCounts& here, const PoleCounts& most, const Body& body) {
  const int drude = most.lorentz, debye = drude + most.drude, critical = debye + most.debye;
  for (int i = 0; i < here.lorentz; ++i) body(PoleKind<true, true>{}, i, 2 * i);
  for (int i = 0; i < here.drude; ++i) body(PoleKind<true, false>{}, drude + i, most.lorentz + drude + i);
  for (int i = 0; i < here.debye; ++i) body(PoleKind<false, true>{}, debye + i, most.lorentz + debye + i);
  for (int i = 0; i < here.critical; ++i)
    body(PoleKind<true, true, true>{}, critical + i, most.lorentz + critical + 2 * i);
}

/// Energy that a pole stores, over eps0 eps_inf: v times the integral of v^2, P times that of P^2, vP times that of v
/// P.
struct StorageFactors {
  double v = 0, P = 0, vP = 0;
};

/// Factors of the pole at place q of a row:
///   (K v^2 / 4 + C2 P^2 / 2) / C1,   critical points:  a (v + g P)^2 / 2 + e P^2 / (2 c),
///   g = d e / c,   a = c / (c^2 + d (c f - d e)),   with c, d, f and e of physics::SecondOrder in steps.
/// All are 0 where the medium has no such pole, or where its poles' energy is not known.
template <bool critical, class Real>
DGTD_HOST_DEVICE StorageFactors storage_factors(const Real* row, const PoleCounts& most, int q) {
  const Real* const pole = row + first_coefficient(q);
  const double K = pole[0], C1 = pole[1], C2 = pole[2];
  if (C1 == 0 || (most.critical > 0 && row[energy_known(most)] == Real(0))) return {};
  if constexpr (!critical) return {K / 4 / C1, C2 / 2 / C1, 0};
  const double d = double(row[C3_coefficient(most, q)]) / 2, c = 2 * (C1 / K - d), e = 2 * C2 / K,
               f = (2 - 2 * K - C2) / K, g = d * e / c, a = c / (c * c + d * (c * f - d * e));
  return {a / 2, (a * g * g + e / c) / 2, a * g};
}

/// Arrays of the poles of a batch that kernels read beside their state.
template <class Real>
struct PoleArrays {
  const PoleCounts* counts = nullptr;     // [state block] the most of its elements
  const std::uint16_t* medium = nullptr;  // [block][lane 32] row of the table
  const Real* table = nullptr;            // [volume group][row]
  int row = 0;                            // reals per row
  PoleCounts most;                        // of any medium
};

// The step in two parts, between which a layer may change E's increment. poles: of a view, view.poles() (ElementPoles
// in block_view.hpp), with coefficient(k), entry k of the row of each lane's medium, for_each as for_each_pole,
// load(number, i) and store(number, i, value) of what is kept of coefficient i of E, 0 <= i < 3 Np. first: the coefficient
// of entry 0 of the arrays.

/// change: in: Cb G r - A E^n, out: E^{n+1} - E^n.
template <int nodes, class Poles, class V>
DGTD_HOST_DEVICE void add_currents(const Poles& poles, int first, V (&change)[nodes]) {
  const V D = poles.coefficient(factor_of_current);
  poles.for_each([&](auto kind, int place, int kept) DGTD_INLINE {
    using Kind = decltype(kind);
    const V K = D * poles.coefficient(first_coefficient(place)),
            C2 = D * poles.coefficient(first_coefficient(place) + 2);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      if constexpr (Kind::has_v) change[n] = fma(-K, poles.load(kept, first + n), change[n]);
      if constexpr (Kind::has_P) change[n] = fma(C2, poles.load(kept + Kind::has_v, first + n), change[n]);
    }
  });
}

/// Advances what the poles keep. mean: (E^n + E^{n+1}) / 2.
template <int nodes, class Poles, class V>
DGTD_HOST_DEVICE void advance_states(const Poles& poles, int first, const V (&mean)[nodes]) {
  using Real = typename RealOf<V>::type;
  poles.for_each([&](auto kind, int place, int kept) DGTD_INLINE {
    using Kind = decltype(kind);
    const V K = poles.coefficient(first_coefficient(place)), C1 = poles.coefficient(first_coefficient(place) + 1),
            C2 = poles.coefficient(first_coefficient(place) + 2);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      const int i = first + n;
      V v{}, P{}, j = C1 * mean[n];
      if constexpr (Kind::has_v) v = poles.load(kept, i), j = fma(K, v, j);
      if constexpr (Kind::has_P) P = poles.load(kept + Kind::has_v, i), j = fma(-C2, P, j);
      if constexpr (Kind::has_P) poles.store(kept + Kind::has_v, i, P + j);
      if constexpr (Kind::has_C3) v = fma(poles.coefficient(C3_coefficient(poles.most, place)), mean[n], v);
      if constexpr (Kind::has_v) poles.store(kept, i, fma(V(Real(2)), j, -v));
    }
  });
}

/// Advances the poles of a view's lanes. change: in: Cb G r, out: E^{n+1} - E^n.
template <int p, class View, class V>
DGTD_HOST_DEVICE void advance_poles(const View& view, V (&change)[3][Bernstein<p>::nodes]) {
  using Real = typename RealOf<V>::type;
  constexpr int nodes = Bernstein<p>::nodes;
  const auto poles = view.poles();
  const auto old = view.target();
  const V A = poles.coefficient(factor_of_field);
  DGTD_UNROLL
  for (int k = 0; k < 3; ++k) {
    V mean[nodes];
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      mean[n] = old(k, n);
      change[k][n] = fma(-A, mean[n], change[k][n]);
    }
    add_currents(poles, k * nodes, change[k]);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) mean[n] = fma(V(Real(0.5)), change[k][n], mean[n]);
    advance_states(poles, k * nodes, mean);
  }
}

}  // namespace dgtd::dg
