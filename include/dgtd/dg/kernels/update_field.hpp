#pragma once
// updateField: the new value of a field from its rates (INRIA report 7592, section 4.3.4).
//
//   E^{n+1} = Ca E^n + Cb G r,   G_ki = a_k . a_i / J,
//   Ca = (1 - s) / (1 + s),   Cb = c0 dt / eps_r / (1 + s),   s = sigma dt / (2 eps),
// from the conduction current averaged in time, -M^sigma (E^n + E^{n+1}) / 2. The same for H with
// Da = 1 and Db = -c0 dt / mu_r in their place. G takes contravariant rates to covariant components; J carries
// the orientation. The view adds the increments to the old values in any
// order, but rounds once: old + increment, or fma(Ca, old, increment). Dispersive media: kernels/poles.hpp.
//
// Absorbing layers have a conductivity tensor S (1/s) of E, over eps, and of H, over mu, averaged in time alike. With q
// the change of u without the layer and q_0 the factor of a current in it, q_0 = 1 / (1 + sigma dt / (2 eps) + sum
// C1/2) (the D of poles.hpp; H: 1), the equation of the layer is u^{n+1} - u^n = q - q_0 S dt u', u' = (u^n + u^{n+1})
// / 2:
//   u^{n+1} - u^n = q + D (q + 2 u^n),   D = -(1 + s)^-1 s,   s = q_0 S dt / 2,
// D in covariant components, D_kl = a_k . D grad l_l. Without poles q = Cb G r - (1 - Ca) u^n. Poles: q is what they
// and the curl change without the layer, and what they keep is then advanced by u' of the whole change.
#include "dgtd/dg/kernels/cpml.hpp"
#include "dgtd/dg/kernels/curved.hpp"
#include "dgtd/dg/kernels/poles.hpp"
#include "dgtd/dg/traits.hpp"

namespace dgtd::dg {

/// Symmetric metric G, in the order 11, 12, 13, 22, 23, 33.
template <class V>
struct Metric {
  V g[6];
};

/// change += D twice_mean(component, node), D of a layer.
template <class View, class V, int nodes, class TwiceMean>
DGTD_HOST_DEVICE void damp(const View& view, const TwiceMean& twice_mean, V (&change)[3][nodes]) {
  V D[9];
  static_for<9>([&](auto entry) DGTD_INLINE { D[entry] = view.damping(entry); });
  static_for<nodes>([&](auto node) DGTD_INLINE {
    V damped[3];
    static_for<3>([&](auto k) DGTD_INLINE { damped[k] = twice_mean(k, node); });
    static_for<3>([&](auto k) DGTD_INLINE {
      change[k][node] =
          fma(D[3 * k], damped[0], fma(D[3 * k + 1], damped[1], fma(D[3 * k + 2], damped[2], change[k][node])));
    });
  });
}

/// A passive layer of a medium with poles. change: in: Cb G r, out: u^{n+1} - u^n.
template <int p, class View, class V>
DGTD_HOST_DEVICE void advance_dispersive_layer(const View& view, V (&change)[3][Bernstein<p>::nodes]) {
  using Real = typename RealOf<V>::type;
  constexpr int nodes = Bernstein<p>::nodes;
  const auto poles = view.poles();
  const auto old = view.target();
  const V A = poles.coefficient(factor_of_field);
  V field[3][nodes];
  static_for<nodes>([&](auto node) DGTD_INLINE {
    static_for<3>([&](auto k) DGTD_INLINE {
      field[k][node] = old(k, node);
      change[k][node] = fma(-A, field[k][node], change[k][node]);
    });
  });
  static_for<3>([&](auto k) DGTD_INLINE { add_currents(poles, k * nodes, change[k]); });
  damp(
      view, [&](auto k, auto node) DGTD_INLINE { return fma(V(Real(2)), field[k][node], change[k][node]); }, change);
  static_for<3>([&](auto k) DGTD_INLINE {
    static_for<nodes>(
        [&](auto node) DGTD_INLINE { field[k][node] = fma(V(Real(0.5)), change[k][node], field[k][node]); });
    advance_states(poles, k * nodes, field[k]);
  });
}

/// The same of a curved element, of which layers have none.
template <int p, MediumKind medium, class View, class V>
DGTD_HOST_DEVICE void updateCurvedField(const View& view, const V (&rates)[3][Bernstein<p>::nodes]) {
  static_assert(medium <= MediumKind::dispersive);
  V change[3][Bernstein<p>::nodes];
  apply_curved_metric<p>(view, view.Cb(), rates, change);
  if constexpr (medium == MediumKind::dispersive) advance_poles<p>(view, change);
  constexpr MediumKind advanced = medium == MediumKind::dispersive ? MediumKind::lossless : medium;
  view.template advance<advanced>([&](auto component, auto node) DGTD_INLINE { return change[component][node]; });
}

template <int p, MediumKind medium, class View, class V>
DGTD_HOST_DEVICE void updateField(const View& view, const V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const V Cb = view.Cb();
  Metric<V> m = view.metric();
  static_for<6>([&](auto k) DGTD_INLINE { m.g[k] = Cb * m.g[k]; });
  const auto of_curl = [&](auto component, auto node) DGTD_INLINE {  // Cb G r
    constexpr int k = decltype(component)::v, g1 = entry[k][0], g2 = entry[k][1], g3 = entry[k][2];
    return fma(m.g[g1], rates[0][node], fma(m.g[g2], rates[1][node], m.g[g3] * rates[2][node]));
  };
  constexpr int nodes = Bernstein<p>::nodes;
  V change[3][nodes];
  const auto set_change = [&](const auto& value) DGTD_INLINE {
    static_for<nodes>([&](auto node) DGTD_INLINE {
      static_for<3>([&](auto component) DGTD_INLINE { change[component][node] = value(component, node); });
    });
  };
  const auto changes = [&](auto component, auto node) DGTD_INLINE { return change[component][node]; };
  if constexpr (medium == MediumKind::dispersive) {
    set_change(of_curl);
    advance_poles<p>(view, change);
    view.template advance<MediumKind::lossless>(changes);
  } else if constexpr (medium == MediumKind::dispersive_layer) {
    set_change(of_curl);
    advance_dispersive_layer<p>(view, change);
    view.template advance<MediumKind::lossless>(changes);
  } else if constexpr (is_cpml(medium)) {
    set_change(of_curl);
    advance_cpml<p, medium != MediumKind::cpml>(view, change);
    view.assign(changes);
  } else if constexpr (medium == MediumKind::layer) {
    set_change(of_curl);
    const V two_means = view.Ca() + V(typename RealOf<V>::type(1));
    const auto old = view.target();
    damp(
        view, [&](auto k, auto node) DGTD_INLINE { return fma(two_means, old(k, node), change[k][node]); }, change);
    view.template advance<MediumKind::conductive>(changes);
  } else {
    view.template advance<medium>(of_curl);
  }
}

}  // namespace dgtd::dg
