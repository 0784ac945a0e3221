#pragma once
// updateField: the new value of a field from its rates (INRIA report 7592, section 4.3.4).
//
//   E^{n+1} = decay E^n + rate G r,   G_ki = a_k . a_i / J,
//   rate = c0 dt / eps_r / (1 + s),   decay = (1 - s) / (1 + s),   s = sigma dt / (2 eps),
// from the conduction current averaged in time, -M^sigma (E^n + E^{n+1}) / 2. The same for H with
// rate = -c0 dt / mu_r and no decay. G takes contravariant rates to covariant components; J carries
// the orientation.
#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

/// Symmetric metric G, in the order 11, 12, 13, 22, 23, 33.
template <class V>
struct Metric {
  V g[6];
};

template <int p, bool conductive, class V, class Target, class Store>
DGTD_HOST_DEVICE void updateField(const Metric<V>& metric, V rate, V decay, const V (&rates)[3][Bernstein<p>::nodes],
                                  const Target& target, const Store& store) {
  const V g11 = rate * metric.g[0], g12 = rate * metric.g[1], g13 = rate * metric.g[2];
  const V g22 = rate * metric.g[3], g23 = rate * metric.g[4], g33 = rate * metric.g[5];
  static_for<Bernstein<p>::nodes>([&](auto a) {
    const V r1 = rates[0][a], r2 = rates[1][a], r3 = rates[2][a];
    const auto old = [&](int component) {
      if constexpr (conductive) return decay * target(component, a);
      else return target(component, a);
    };
    store(0, a, fma(g11, r1, fma(g12, r2, fma(g13, r3, old(0)))));
    store(1, a, fma(g12, r1, fma(g22, r2, fma(g23, r3, old(1)))));
    store(2, a, fma(g13, r1, fma(g23, r2, fma(g33, r3, old(2)))));
  });
}

}  // namespace dgtd::dg
