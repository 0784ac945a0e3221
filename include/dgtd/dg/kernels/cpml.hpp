#pragma once
// Convolutional layers (type `cpml`; docs/theory.md, "Convolutional layers"). A field u of a layer, which curls, traces
// and all else read, is the output of up to three sections, one after the other, one per side of a box near which the
// element is (unit normal n). The input of the first one is G, a field that is updated as that of the medium would be:
//   out = (s n n^T + (1 - n n^T) / s) in,   s = 1 + S / (alpha + d/dt),   d/dt = (2 / dt) (z - 1) / (z + 1),
// with A = alpha dt / 2, B = S dt / 2, at the new (1) and the old (0) time
//   along the layer:   out_1 = ((1 - A - B) out_0 + (1 + A) in_1 - (1 - A) in_0) / (1 + A + B)
//   across it:         out_1 = ((1 - A) out_0 + (1 + A + B) in_1 - (1 - A - B) in_0) / (1 + A)
// and in covariant components (n n^T u)_k = n_k sum_i m^i u_i, n_k = n . a_k, m^i = n . grad l_i.
// G has a matched loss beside its medium, of E and H alike over eps_inf (times a factor) and mu, averaged in time:
//   G_1 - G_0 = q + d (q + 2 G_0),   d = -T / (1 + T),   T = q_0 (loss) dt / 2, q_0 as in update_field.hpp,
// q the change in the medium alone.
#include "dgtd/dg/kernels/poles.hpp"

namespace dgtd::dg {

/// Places in the numbers of a section: n_k, m^i, three factors along the layer, of out_0, in_1, in_0, and what those
/// across it have more. The first section of an element also has d of E and of H.
inline constexpr int cpml_normal = 0, cpml_gradient = 3, cpml_along = 6, cpml_across = 9, cpml_loss = 12;
inline constexpr int cpml_numbers = 14;
/// Sections of an element near several sides; near two of them the last one changes nothing.
inline constexpr int most_sections = 3;

/// What kernels read of the layers of a batch, from its first block on.
template <class Real>
struct CpmlArrays {
  const Real* numbers = nullptr;  // [block][section][cpml_numbers][lane 32]
  int sections = 0;               // per element, 1 or most_sections
  int field = 0;                  // 0: E, 1: H
  std::int64_t first_block = 0;   // of the batch
  Real* inputs = nullptr;         // [block][field 2][3 Np][lane 32] G
  Real* outputs = nullptr;        // [block][field 2][section 2][3 Np][lane 32] of all sections but the last
};

/// change: in: Cb G r, out: u^{n+1} - u^n. view.cpml() (CpmlLanes in block_view.hpp) has sections(), field(),
/// number(section, k), load(i) and store(i, value) of coefficient i of G, load_output and store_output (section, i).
template <int p, class View, class V>
DGTD_HOST_DEVICE void advance_cpml(const View& view, V (&change)[3][Bernstein<p>::nodes]) {
  using Real = typename RealOf<V>::type;
  constexpr int nodes = Bernstein<p>::nodes;
  const auto layer = view.cpml();
  const V less = view.Ca() - V(Real(1)), loss = layer.number(0, cpml_loss + layer.field());
  V before[3][nodes];  // input of a section at the old time, and `change` that at the new one
  DGTD_UNROLL
  for (int k = 0; k < 3; ++k) {
    V mean[nodes];
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      before[k][n] = layer.load(k * nodes + n);
      change[k][n] = fma(less, before[k][n], change[k][n]);
    }
    if (view.has_poles()) add_currents(view.poles(), k, change[k]);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      change[k][n] = fma(loss, fma(V(Real(2)), before[k][n], change[k][n]), change[k][n]);
      mean[n] = fma(V(Real(0.5)), change[k][n], before[k][n]);
    }
    if (view.has_poles()) advance_states(view.poles(), k, mean);
    DGTD_UNROLL
    for (int n = 0; n < nodes; ++n) {
      change[k][n] = before[k][n] + change[k][n];
      layer.store(k * nodes + n, change[k][n]);
    }
  }
  const auto old = view.target();
  for (int section = 0; section < layer.sections(); ++section) {
    const bool is_last = section + 1 == layer.sections();
    V number[cpml_loss];
    static_for<cpml_loss>([&](auto k) DGTD_INLINE { number[k] = layer.number(section, k); });
    static_for<nodes>([&](auto node) DGTD_INLINE {
      constexpr int n = decltype(node)::v;
      V out[3], across{};
      static_for<3>([&](auto k) DGTD_INLINE {
        out[k] = is_last ? old(k, node) : layer.load_output(section, k * nodes + n);
        const V term = fma(number[cpml_across], out[k],
                           fma(number[cpml_across + 1], change[k][n], number[cpml_across + 2] * before[k][n]));
        across = fma(number[cpml_gradient + k], term, across);
      });
      static_for<3>([&](auto k) DGTD_INLINE {
        const V along = fma(number[cpml_along], out[k],
                            fma(number[cpml_along + 1], change[k][n], number[cpml_along + 2] * before[k][n]));
        change[k][n] = fma(number[cpml_normal + k], across, along);
        if (!is_last) layer.store_output(section, k * nodes + n, change[k][n]);
        before[k][n] = out[k];
      });
    });
  }
  static_for<nodes>([&](auto node) DGTD_INLINE {
    static_for<3>([&](auto k) DGTD_INLINE { change[k][node] = change[k][node] - before[k][node]; });
  });
}

}  // namespace dgtd::dg
