#pragma once
// intSurface: the lift of the numerical flux of the four faces (INRIA report 7592, section 4.3.3).
#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"

namespace dgtd::dg {

/// Lifts two face polynomials a, b at once: layer `layer` (degree p - layer) and those beyond it.
/// add(node, factor, a, b) receives each volume node that the lift reaches.
template <int p, int face, int layer, class V, class Add>
DGTD_HOST_DEVICE void lift_layers(const V (&a)[triangle_nodes(p - layer)], const V (&b)[triangle_nodes(p - layer)],
                                  const Add& add) {
  static_for<triangle_nodes(p - layer)>([&](auto i) {
    constexpr int node = tetrahedron_index(on_layer(face, layer, Bernstein<p - layer>::face_exponents[decltype(i)::v]));
    add(Index<node>{}, constant<V>(0.5 * layer_factor(layer)), a[i], b[i]);
  });
  if constexpr (layer < p) {
    V next_a[triangle_nodes(p - layer - 1)], next_b[triangle_nodes(p - layer - 1)];
    static_for<triangle_nodes(p - layer - 1)>([&](auto i) {
      next_a[i] = row_times<V, ReductionRows<p - layer>, decltype(i)::v>([&](int j) { return a[j]; });
      next_b[i] = row_times<V, ReductionRows<p - layer>, decltype(i)::v>([&](int j) { return b[j]; });
    });
    lift_layers<p, face, layer + 1>(next_a, next_b, add);
  }
}

/// Adds a face's flux, tangential along e_a and e_b, to the contravariant rates. e_a and e_b are edge
/// vectors a_k for the faces that hold vertex 0; on face 0 they are a_2 - a_1 and a_3 - a_1.
template <int p, int face, class V>
DGTD_HOST_DEVICE void lift_face(const V (&flux_a)[Bernstein<p>::face_nodes],
                                const V (&flux_b)[Bernstein<p>::face_nodes], V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  constexpr int along_a = face == 0 ? 1 : face_vertices[face][1] - 1;
  constexpr int along_b = face == 0 ? 2 : face_vertices[face][2] - 1;
  V a[nodes], b[nodes];
  static_for<nodes>([&](auto i) {
    a[i] = row_times<V, LiftRows<p>, decltype(i)::v>([&](int j) { return flux_a[j]; });
    b[i] = row_times<V, LiftRows<p>, decltype(i)::v>([&](int j) { return flux_b[j]; });
  });
  lift_layers<p, face, 0>(a, b, [&](auto node, V factor, V value_a, V value_b) {
    rates[along_a][node] = fma(factor, value_a, rates[along_a][node]);
    rates[along_b][node] = fma(factor, value_b, rates[along_b][node]);
    if constexpr (face == 0) rates[0][node] = fma(-factor, value_a + value_b, rates[0][node]);
  });
}

/// Tangential trace component `edge` (0: along e_a, 1: along e_b) of a face node, from covariant components.
template <int p, int face, int edge, class Source>
DGTD_HOST_DEVICE auto own_trace(const Source& source, int node) {
  if constexpr (face == 0) {
    return source(edge + 1, node) - source(0, node);
  } else {
    constexpr int component = face_vertices[face][edge + 1] - 1;
    return source(component, node);
  }
}

/// rates += lifted flux. trace.load<face>(a, b) fills the neighbour's trace.
template <int p, class V, class Source, class Trace>
DGTD_HOST_DEVICE void intSurface(const Source& source, const Trace& neighbour, V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  static_for<4>([&](auto face) {
    constexpr int f = decltype(face)::v;
    V flux_a[nodes], flux_b[nodes];
    neighbour.load(face, flux_a, flux_b);
    static_for<nodes>([&](auto i) {
      constexpr int node = face_node_table<p>[f][decltype(i)::v];
      const auto flux =
          centered_flux<f>(own_trace<p, f, 0>(source, node), own_trace<p, f, 1>(source, node), flux_a[i], flux_b[i]);
      flux_a[i] = flux.a;
      flux_b[i] = flux.b;
    });
    lift_face<p, f>(flux_a, flux_b, rates);
  });
}

/// The same for elements with boundary faces: `target` is the field that is being updated,
/// boundary.face(face) the face's data and external.load(face, a, b) the external field's trace.
template <int p, class V, class Source, class Trace, class Target, class External, class Boundary>
DGTD_HOST_DEVICE void intSurfaceBoundary(const Source& source, const Trace& neighbour, const Target& target,
                                         const External& external, const Boundary& boundary,
                                         V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  static_for<4>([&](auto face) {
    constexpr int f = decltype(face)::v;
    V flux_a[nodes], flux_b[nodes], external_a[nodes], external_b[nodes];
    neighbour.load(face, flux_a, flux_b);
    external.load(face, external_a, external_b);
    const BoundaryFace<V> data = boundary.face(face);
    static_for<nodes>([&](auto i) {
      constexpr int node = face_node_table<p>[f][decltype(i)::v];
      const auto flux = boundary_flux<f>(data, own_trace<p, f, 0>(source, node), own_trace<p, f, 1>(source, node),
                                         flux_a[i], flux_b[i], own_trace<p, f, 0>(target, node),
                                         own_trace<p, f, 1>(target, node), external_a[i], external_b[i]);
      flux_a[i] = flux.a;
      flux_b[i] = flux.b;
    });
    lift_face<p, f>(flux_a, flux_b, rates);
  });
}

}  // namespace dgtd::dg
