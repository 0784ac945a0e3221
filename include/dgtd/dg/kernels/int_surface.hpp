#pragma once
// intSurface: the lift of the numerical flux of the four faces (INRIA report 7592, section 4.3.3).
#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"

namespace dgtd::dg {

/// Lifts `count` face polynomials at once: layer `layer` (degree p - layer) and those beyond it.
/// add(node, factor, values[count]) receives each volume node that the lift reaches.
template <int p, int face, int layer, int count, class V, class Add>
DGTD_HOST_DEVICE void lift_layers(const V (&values)[count][triangle_nodes(p - layer)], const Add& add) {
  static_for<triangle_nodes(p - layer)>([&](auto i) {
    constexpr int node = tetrahedron_index(on_layer(face, layer, Bernstein<p - layer>::face_exponents[decltype(i)::v]));
    V at[count];
    static_for<count>([&](auto k) { at[k] = values[k][i]; });
    add(Index<node>{}, constant<V>(0.5 * layer_factor(layer)), at);
  });
  if constexpr (layer < p) {
    V next[count][triangle_nodes(p - layer - 1)];
    static_for<triangle_nodes(p - layer - 1)>([&](auto i) {
      static_for<count>([&](auto k) {
        next[k][i] = row_times<V, ReductionRows<p - layer>, decltype(i)::v>([&](int j) { return values[k][j]; });
      });
    });
    lift_layers<p, face, layer + 1, count>(next, add);
  }
}

/// The component of the rates to which the flux of a face along its edge 0 (e_a) or 1 (e_b) belongs. On face 0, whose
/// edges are a_2 - a_1 and a_3 - a_1, both belong to component 0, too, with the opposite sign.
template <int face, int edge>
inline constexpr int lifted_component = face == 0 ? edge + 1 : face_vertices[face][edge + 1] - 1;

/// Adds a face's flux, tangential along e_a and e_b, to the contravariant rates. e_a and e_b are edge
/// vectors a_k for the faces that hold vertex 0; on face 0 they are a_2 - a_1 and a_3 - a_1.
template <int p, int face, class V>
DGTD_HOST_DEVICE void lift_face(const V (&flux_a)[Bernstein<p>::face_nodes],
                                const V (&flux_b)[Bernstein<p>::face_nodes], V (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  constexpr int along_a = lifted_component<face, 0>, along_b = lifted_component<face, 1>;
  V lifted[2][nodes];
  static_for<nodes>([&](auto i) {
    lifted[0][i] = row_times<V, LiftRows<p>, decltype(i)::v>([&](int j) { return flux_a[j]; });
    lifted[1][i] = row_times<V, LiftRows<p>, decltype(i)::v>([&](int j) { return flux_b[j]; });
  });
  lift_layers<p, face, 0, 2>(lifted, [&](auto node, V factor, const V (&value)[2]) {
    rates[along_a][node] = fma(factor, value[0], rates[along_a][node]);
    rates[along_b][node] = fma(factor, value[1], rates[along_b][node]);
    if constexpr (face == 0) rates[0][node] = fma(-factor, value[0] + value[1], rates[0][node]);
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

/// The lift of a face's flux along one of its edges. neighbour.load_edge<edge>(face, values) fills the neighbour's trace along
/// an edge.
template <int p, int face, int edge, class V, class Source, class Trace>
DGTD_HOST_DEVICE void lift_edge(const Source& source, const Trace& neighbour, V (&lifted)[Bernstein<p>::face_nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  V flux[nodes];
  neighbour.template load_edge<1 - edge>(Index<face>{}, flux);  // n x exchanges the edges
  static_for<nodes>([&](auto i) {
    constexpr int node = face_node_table<p>[face][decltype(i)::v];
    const V own = own_trace<p, face, 1 - edge>(source, node);
    if constexpr (edge == 0) flux[i] = centered_flux<face>(V{}, own, V{}, flux[i]).a;
    else flux[i] = centered_flux<face>(own, V{}, flux[i], V{}).b;
  });
  static_for<nodes>([&](auto i) {
    lifted[i] = row_times<V, LiftRows<p>, decltype(i)::v>([&](int j) { return flux[j]; });
  });
}

/// intSurface for elements with boundary faces: `target` is the field that is being updated,
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
