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

/// Arrays of the layers of a batch that kernels read, from its first block on.
template <class Real>
struct CpmlArrays {
  const Real* numbers = nullptr;  // [block][section][cpml_numbers][lane 32]
  int sections = 0;               // per element, 1 or most_sections
  int field = 0;                  // 0: E, 1: H
  std::int64_t first_block = 0;   // of the batch
  Real* inputs = nullptr;         // [block][field 2][3 Np][lane 32] G
  Real* outputs = nullptr;        // [block][field 2][section 2][3 Np][lane 32] of all sections but the last
};

/// Nodes of which a thread holds what the layer keeps at once: with the rates of all nodes there are registers
/// for few.
constexpr int nodes_at_once(int nodes) {
  int group = 5;
  while (nodes % group != 0) --group;
  return group;
}

/// Old values of a group of nodes.
template <int group, class V>
struct CpmlValues {
  V input[3][group];  // G
  V field[3][group];  // u, the output of the last section

  /// first: the first node of the group, of `nodes`.
  template <class Layer, class Old>
  DGTD_HOST_DEVICE void load(const Layer& layer, const Old& old, int first, int nodes) {
    DGTD_UNROLL
    for (int k = 0; k < 3; ++k) {
      DGTD_UNROLL
      for (int n = 0; n < group; ++n) {
        input[k][n] = layer.load(k * nodes + first + n);
        field[k][n] = old(k, first + n);
      }
    }
  }
};

/// A section: new outputs (in `after`) from new inputs (there before), old inputs (in `before`) and old outputs, which
/// take the place of those. number: the section's, cpml_normal to cpml_across + 2.
template <int group, class V>
DGTD_HOST_DEVICE void apply_section(const V (&number)[cpml_loss], const V (&old_output)[3][group],
                                    V (&before)[3][group], V (&after)[3][group]) {
  DGTD_UNROLL
  for (int n = 0; n < group; ++n) {
    V across{};
    DGTD_UNROLL
    for (int k = 0; k < 3; ++k) {
      const V term = fma(number[cpml_across], old_output[k][n],
                         fma(number[cpml_across + 1], after[k][n], number[cpml_across + 2] * before[k][n]));
      across = fma(number[cpml_gradient + k], term, across);
    }
    DGTD_UNROLL
    for (int k = 0; k < 3; ++k) {
      const V along = fma(number[cpml_along], old_output[k][n],
                          fma(number[cpml_along + 1], after[k][n], number[cpml_along + 2] * before[k][n]));
      after[k][n] = fma(number[cpml_normal + k], across, along);
      before[k][n] = old_output[k][n];
    }
  }
}

/// values: in: Cb G r, out: u^{n+1}. general: of any number of sections, with poles or without; else of one section
/// without poles. view.cpml() (CpmlLanes in block_view.hpp) has sections(), field(), number(section, k), load(i) and
/// store(i, value) of coefficient i of G, load_output and store_output (section, i). What the next group of nodes needs
/// is loaded before anything of this group is stored, since a compiler cannot tell the arrays apart.
template <int p, bool general, class View, class V>
DGTD_HOST_DEVICE void advance_cpml(const View& view, V (&values)[3][Bernstein<p>::nodes]) {
  using Real = typename RealOf<V>::type;
  constexpr int nodes = Bernstein<p>::nodes, group = nodes_at_once(nodes);
  const auto layer = view.cpml();
  const auto field = view.target();
  const V less = view.Ca() - V(Real(1)), loss = layer.number(0, cpml_loss + layer.field());
  const int sections = general ? layer.sections() : 1;
  V number[cpml_loss];
  const auto load_numbers = [&](int section) DGTD_INLINE {
    DGTD_UNROLL
    for (int k = 0; k < cpml_loss; ++k) number[k] = layer.number(section, k);
  };
  load_numbers(0);
  CpmlValues<group, V> old;
  old.load(layer, field, 0, nodes);
  DGTD_UNROLL
  for (int first = 0; first < nodes; first += group) {
    V after[3][group];
    DGTD_UNROLL
    for (int k = 0; k < 3; ++k) {
      const auto& before = old.input[k];
      V change[group];
      DGTD_UNROLL
      for (int n = 0; n < group; ++n) change[n] = fma(less, before[n], values[k][first + n]);
      if constexpr (general)
        if (view.has_poles()) add_currents(view.poles(), k * nodes + first, change);
      DGTD_UNROLL
      for (int n = 0; n < group; ++n) {
        change[n] = fma(loss, fma(V(Real(2)), before[n], change[n]), change[n]);
        after[k][n] = before[n] + change[n];
        change[n] = fma(V(Real(0.5)), change[n], before[n]);  // the mean of both times
      }
      if constexpr (general)
        if (view.has_poles()) advance_states(view.poles(), k * nodes + first, change);
    }
    CpmlValues<group, V> next;
    if (first + group < nodes) next.load(layer, field, first + group, nodes);
    else next = old;
    DGTD_UNROLL
    for (int i = 0; i < 3 * group; ++i) layer.store(i / group * nodes + first + i % group, after[i / group][i % group]);
    if constexpr (general) {
      for (int section = 0; section + 1 < sections; ++section) {
        if (section > 0 || first > 0) load_numbers(section);
        V output[3][group];
        DGTD_UNROLL
        for (int i = 0; i < 3 * group; ++i)
          output[i / group][i % group] = layer.load_output(section, i / group * nodes + first + i % group);
        apply_section(number, output, old.input, after);
        DGTD_UNROLL
        for (int i = 0; i < 3 * group; ++i)
          layer.store_output(section, i / group * nodes + first + i % group, after[i / group][i % group]);
      }
      if (sections > 1) load_numbers(sections - 1);
    }
    apply_section(number, old.field, old.input, after);
    DGTD_UNROLL
    for (int i = 0; i < 3 * group; ++i) values[i / group][first + i % group] = after[i / group][i % group];
    old = next;
  }
}

}  // namespace dgtd::dg
