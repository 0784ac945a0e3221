#pragma once
// updateField: the new value of a field from its rates (INRIA report 7592, section 4.3.4).
//
//   E^{n+1} = Ca E^n + Cb G r,   G_ki = a_k . a_i / J,
//   Ca = (1 - s) / (1 + s),   Cb = c0 dt / eps_r / (1 + s),   s = sigma dt / (2 eps),
// from the conduction current averaged in time, -M^sigma (E^n + E^{n+1}) / 2. The same for H with
// Da = 1 and Db = -c0 dt / mu_r in their place. G takes contravariant rates to covariant components; J carries
// the orientation. The view adds the increments to the old values in any
// order, but rounds once: old + increment, or fma(Ca, old, increment).
//
// A Debye pole, chi = a / (s + b) with a = delta eps / (eps_r tau), b = 1 / tau, is advanced by the trapezoidal rule
// beside E in closed form: with k = 1 / (1 + b dt/2), A = k a dt, B = k b dt, D = 1 / (1 + s + A/2),
//   Q = A E^n - B P^n,   E^{n+1} = Ca E^n + Cb G r - D Q,   P^{n+1} = P^n + Q + A/2 (E^{n+1} - E^n),
//   Ca = (1 - s + A/2) D,   Cb = c0 dt / eps_r D.
#include "dgtd/dg/kernels/arithmetic.hpp"
#include "dgtd/dg/traits.hpp"

namespace dgtd::dg {

/// Symmetric metric G, in the order 11, 12, 13, 22, 23, 33.
template <class V>
struct Metric {
  V g[6];
};

/// The state of a Debye pole: its number, P [3][Np] in V/m times m, and the coefficients A, B, D.
inline constexpr int debye_state = 0, debye_coefficients = 3;

template <int p, MediumKind medium, class View, class V>
DGTD_HOST_DEVICE void updateField(const View& view, const V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const V Cb = view.Cb();
  Metric<V> m = view.metric();
  static_for<6>([&](auto k) DGTD_INLINE { m.g[k] = Cb * m.g[k]; });
  const auto curl = [&](auto component, auto node) DGTD_INLINE {  // Cb G r
    constexpr int k = decltype(component)::v, g1 = entry[k][0], g2 = entry[k][1], g3 = entry[k][2];
    return fma(m.g[g1], rates[0][node], fma(m.g[g2], rates[1][node], m.g[g3] * rates[2][node]));
  };
  if constexpr (medium == MediumKind::dispersive) {
    using Real = typename RealOf<V>::type;
    constexpr int nodes = Bernstein<p>::nodes;
    const auto coefficient = [&](int k)
                                 DGTD_INLINE { return view.state_coefficient(debye_state, debye_coefficients, k); };
    const V A = coefficient(0), B = coefficient(1), D = coefficient(2), Ca = view.Ca();
    const auto old = view.target();
    view.template advance<MediumKind::conductive>([&](auto component, auto node) DGTD_INLINE {
      constexpr int k = decltype(component)::v, n = decltype(node)::v, entry_of_state = k * nodes + n;
      const V P = view.state_entry(debye_state, 3 * nodes, entry_of_state), E = old(k, n);
      const V Q = A * E - B * P, change = curl(component, node) - D * Q;
      view.set_state_entry(debye_state, 3 * nodes, entry_of_state, P + Q + V(Real(0.5)) * A * (fma(Ca, E, change) - E));
      return change;
    });
  } else {
    view.template advance<medium>(curl);
  }
}

}  // namespace dgtd::dg
