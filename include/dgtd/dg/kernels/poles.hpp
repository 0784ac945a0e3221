#pragma once
// Poles of a dispersive medium beside E (docs/theory.md, "Dispersive media"), by the trapezoidal rule in closed form.
// With v = dt dP/dt at integer steps, P in units of E (divided by eps_inf), one pole has the mean current of a step
//   j = K v^n + C1 (E^n + E^{n+1}) / 2 - C2 P^n,   P^{n+1} = P^n + j,   v^{n+1} = 2 j - v^n,
// where a Drude pole has no P, and a Debye pole no v; E has
//   E^{n+1} - E^n = Cb G r - A E^n - D sum (K v^n - C2 P^n),
//   D = 1 / (1 + s + sum C1 / 2),   A = 2 (1 - D),   Cb = c0 dt / eps_inf D,   s = sigma dt / (2 eps_inf).
#include <cstdint>

#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

/// The state of elements (Discretisation::states) that has what poles keep.
inline constexpr int state_of_poles = 0;

/// Numbers of poles of a medium by what they keep of each coefficient of E.
struct PoleCounts {
  std::uint8_t lorentz = 0;  // v and P
  std::uint8_t drude = 0;    // v
  std::uint8_t debye = 0;    // P
  bool operator==(const PoleCounts&) const = default;
  DGTD_HOST_DEVICE int poles() const { return lorentz + drude + debye; }
  DGTD_HOST_DEVICE int kept() const { return 2 * lorentz + drude + debye; }
};

/// What a pole keeps; v, if any, comes first.
template <bool v, bool P>
struct PoleKind {
  static constexpr bool has_v = v, has_P = P;
};

/// Places in a row of the table of media: D, A, then K, C1, C2 of the pole at place q.
inline constexpr int factor_of_current = 0, factor_of_field = 1;
DGTD_HOST_DEVICE int first_coefficient(int q) { return 2 + 3 * q; }

/// body(PoleKind, place q of the pole, first of the numbers that it keeps) for each pole of `here`. most: the most of
/// any medium, by which places are counted.
template <class Body>
DGTD_HOST_DEVICE void for_each_pole(const PoleCounts& here, const PoleCounts& most, const Body& body) {
  const int drude = most.lorentz, debye = drude + most.drude;
  for (int i = 0; i < here.lorentz; ++i) body(PoleKind<true, true>{}, i, 2 * i);
  for (int i = 0; i < here.drude; ++i) body(PoleKind<true, false>{}, drude + i, most.lorentz + drude + i);
  for (int i = 0; i < here.debye; ++i) body(PoleKind<false, true>{}, debye + i, most.lorentz + debye + i);
}

/// The energy that a pole stores, over eps0 eps_inf: factor times the integral of v^2, or of P^2; pole: its K, C1, C2.
///   (K v^2 / 4 + C2 P^2 / 2) / C1
template <class Real>
DGTD_HOST_DEVICE double storage_factor(const Real* pole, bool of_v) {
  const double C1 = pole[1];
  if (C1 == 0) return 0;  // the medium has no pole at this place
  return (of_v ? double(pole[0]) / 4 : double(pole[2]) / 2) / C1;
}

/// What kernels read of the poles of a batch beside their state.
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
// load(number, i) and store(number, i, value) of what is kept of coefficient i of E, 0 <= i < 3 Np. k: component.

/// change: in: Cb G r, out: E^{n+1} - E^n. field: E^n.
template <int nodes, class Poles, class V>
DGTD_HOST_DEVICE void add_currents(const Poles& poles, int k, const V (&field)[nodes], V (&change)[nodes]) {
  const V D = poles.coefficient(factor_of_current), A = poles.coefficient(factor_of_field);
  DGTD_UNROLL
  for (int n = 0; n < nodes; ++n) change[n] = fma(-A, field[n], change[n]);
  poles.for_each([&](auto kind, int place, int kept) DGTD_INLINE {
    using Kind = decltype(kind);
    const V K = D * poles.coefficient(first_coefficient(place)),
            C2 = D * poles.coefficient(first_coefficient(place) + 2);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      if constexpr (Kind::has_v) change[n] = fma(-K, poles.load(kept, k * nodes + n), change[n]);
      if constexpr (Kind::has_P) change[n] = fma(C2, poles.load(kept + Kind::has_v, k * nodes + n), change[n]);
    }
  });
}

/// Advances what the poles keep. mean: (E^n + E^{n+1}) / 2.
template <int nodes, class Poles, class V>
DGTD_HOST_DEVICE void advance_states(const Poles& poles, int k, const V (&mean)[nodes]) {
  using Real = typename RealOf<V>::type;
  poles.for_each([&](auto kind, int place, int kept) DGTD_INLINE {
    using Kind = decltype(kind);
    const V K = poles.coefficient(first_coefficient(place)), C1 = poles.coefficient(first_coefficient(place) + 1),
            C2 = poles.coefficient(first_coefficient(place) + 2);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      const int i = k * nodes + n;
      V v{}, P{}, j = C1 * mean[n];
      if constexpr (Kind::has_v) v = poles.load(kept, i), j = fma(K, v, j);
      if constexpr (Kind::has_P) P = poles.load(kept + Kind::has_v, i), j = fma(-C2, P, j);
      if constexpr (Kind::has_P) poles.store(kept + Kind::has_v, i, P + j);
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
  DGTD_UNROLL
  for (int k = 0; k < 3; ++k) {
    V mean[nodes];
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) mean[n] = old(k, n);
    add_currents(poles, k, mean, change[k]);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) mean[n] = fma(V(Real(0.5)), change[k][n], mean[n]);
    advance_states(poles, k, mean);
  }
}

}  // namespace dgtd::dg
