#pragma once
// The metric of a curved element in updateField (docs/theory.md, "Curved elements"): with the rates r^i, polynomials of
// degree p,
//   G r  ->  P_p(G_ki(l) r^i),   P_p: the L2 projection on degree p in the reference element,
// the weight-adjusted mass of J. Chan, R. J. Hewett, T. Warburton, SIAM J. Sci. Comput. 39 (2017), arXiv 1608.03836, of
// matrix weights J. Chan, Int. J. Numer. Methods Eng. 113 (2018). By a quadrature with positive weights w_q that is exact
// to degree 2 p,
//   r_i(q) = sum_a V_qa r^i_a,   t_k = G_ki(q) r_i(q),   (G r)_k,a = sum_q D_qa t_k,
//   V_qa = B_a(l_q),   D_qa = w_q (M^-1 V^t)_aq,   G_ki(q) = sum_m T_qm G_ki,m,
// T the Bernstein functions of the degree of G. All sums are in ascending order.
#include <cstdint>
#include <type_traits>

#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

/// The highest order with kernels of curved elements.
inline constexpr int highest_curved_order = 4;
/// Whether kernels of these traits exist for an order.
template <class Traits>
constexpr bool has_kernel(const Traits& traits, int p) {
  return !traits.curved || p <= highest_curved_order;
}
/// Points of the quadrature of degree 2 p, H. Xiao, Z. Gimbutas, Comput. Math. Appl. 59 (2010).
constexpr int curved_points(int p) { return p == 1 ? 4 : p == 2 ? 11 : p == 3 ? 23 : 44; }
/// Degree of the polynomials of G: with a higher one P1 and P2 have the same error, P3 up to 28 % less of a coarse mesh.
constexpr int curved_degree(int p) { return p < 4 ? 1 : 2; }
constexpr int curved_terms(int p) { return tetrahedron_nodes(curved_degree(p)); }
/// Reals of a point's row of tables: V_qa, D_qa, T_qm. After the rows of all points come the columns D_qa of each node.
constexpr int curved_row(int p) { return 2 * tetrahedron_nodes(p) + curved_terms(p); }

/// Data of curved elements that kernels read beside those of all elements.
template <class Real>
struct CurvedArrays {
  const Real* metric = nullptr;         // [curved block][terms][6][lane 32] G of curved_degree(p), 1/m
  const std::int32_t* block = nullptr;  // [block] its place there, -1: straight
  const Real* tables = nullptr;         // [curved_points(p)][curved_row(p)], [Np][curved_points(p)]
};

/// G r at a point.
template <class V>
DGTD_HOST_DEVICE void multiply_by_metric(const V& Cb, const V (&g)[6], const V (&r)[3], V (&t)[3]) {
  t[0] = Cb * fma(g[0], r[0], fma(g[1], r[1], g[2] * r[2]));
  t[1] = Cb * fma(g[1], r[0], fma(g[3], r[1], g[4] * r[2]));
  t[2] = Cb * fma(g[2], r[0], fma(g[4], r[1], g[5] * r[2]));
}

/// One thread per element: rates and product are registers.
template <int p, class Curved, class V>
DGTD_HOST_DEVICE void apply_curved_metric_at_points(const Curved& curved, const V& Cb,
                                                    const V (&rates)[3][Bernstein<p>::nodes],
                                                    V (&product)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::nodes, terms = curved_terms(p);
  static_for<3 * nodes>([&](auto i) DGTD_INLINE { product[i / nodes][i % nodes] = V(0); });
  for (int q = 0; q < curved_points(p); ++q) {
    const V* const row = curved.row(q);
    V r[3] = {V(0), V(0), V(0)}, g[6], t[3];
    static_for<nodes>([&](auto a) DGTD_INLINE {
      const V value = row[a];
      static_for<3>([&](auto k) DGTD_INLINE { r[k] = fma(value, rates[k][a], r[k]); });
    });
    static_for<6>([&](auto entry) DGTD_INLINE { g[entry] = V(0); });
    static_for<terms>([&](auto m) DGTD_INLINE {
      const V value = row[2 * nodes + m];
      static_for<6>([&](auto entry) DGTD_INLINE { g[entry] = fma(value, curved.metric(6 * m + entry), g[entry]); });
    });
    multiply_by_metric(Cb, g, r, t);
    static_for<nodes>([&](auto a) DGTD_INLINE {
      const V value = row[nodes + a];
      static_for<3>([&](auto k) DGTD_INLINE { product[k][a] = fma(value, t[k], product[k][a]); });
    });
  }
}

/// On a CPU, whose registers are few: first t at all points, then the product, two points and two nodes at a time, so that
/// six sums do not wait for each other. Twice as fast there; the sums are the same.
template <int p, class Curved, class V>
DGTD_HOST_DEVICE void apply_curved_metric_in_two_passes(const Curved& curved, const V& Cb,
                                                        const V (&rates)[3][Bernstein<p>::nodes],
                                                        V (&product)[3][Bernstein<p>::nodes]) {
  using Real = typename RealOf<V>::type;
  constexpr int nodes = Bernstein<p>::nodes, terms = curved_terms(p), points = curved_points(p), at_once = 2;
  const auto last = [](int i, int n) { return i < n ? i : n - 1; };  // the last one may be computed twice
  V t[points + at_once - 1][3];
  for (int q = 0; q < points; q += at_once) {
    const Real* row[at_once];
    V r[at_once][3], g[at_once][6];
    for (int i = 0; i < at_once; ++i) {
      row[i] = curved.row(last(q + i, points));
      for (int k = 0; k < 3; ++k) r[i][k] = V(Real(0));
      for (int e = 0; e < 6; ++e) g[i][e] = V(Real(0));
    }
    for (int a = 0; a < nodes; ++a)
      for (int i = 0; i < at_once; ++i) {
        const V value(row[i][a]);
        for (int k = 0; k < 3; ++k) r[i][k] = fma(value, rates[k][a], r[i][k]);
      }
    for (int m = 0; m < terms; ++m)
      for (int i = 0; i < at_once; ++i) {
        const V value(row[i][2 * nodes + m]);
        for (int e = 0; e < 6; ++e) g[i][e] = fma(value, curved.metric(6 * m + e), g[i][e]);
      }
    for (int i = 0; i < at_once; ++i) multiply_by_metric(Cb, g[i], r[i], t[q + i]);
  }
  for (int a = 0; a < nodes; a += at_once) {
    V sum[at_once][3];
    for (int i = 0; i < at_once; ++i)
      for (int k = 0; k < 3; ++k) sum[i][k] = V(Real(0));
    const Real* column[at_once];
    for (int i = 0; i < at_once; ++i) column[i] = curved.column(last(a + i, nodes));
    for (int q = 0; q < points; ++q)
      for (int i = 0; i < at_once; ++i) {
        const V value(column[i][q]);
        for (int k = 0; k < 3; ++k) sum[i][k] = fma(value, t[q][k], sum[i][k]);
      }
    for (int i = 0; i < at_once; ++i)
      for (int k = 0; k < 3; ++k) product[k][last(a + i, nodes)] = sum[i][k];
  }
}

/// product[k][a] = coefficient a of P_p(Cb G_ki r^i). view.curved(): metric(entry), entry of
/// [terms][6], row(q) and column(a) of the tables; or multiply(Cb, rates, product), with the same order of the sums.
template <int p, class View, class V>
DGTD_HOST_DEVICE void apply_curved_metric(const View& view, const V& Cb, const V (&rates)[3][Bernstein<p>::nodes],
                                          V (&product)[3][Bernstein<p>::nodes]) {
  const auto curved = view.curved();
  if constexpr (requires { curved.multiply(Cb, rates, product); }) curved.multiply(Cb, rates, product);
  else if constexpr (std::is_same_v<V, typename RealOf<V>::type>)
    apply_curved_metric_at_points<p>(curved, Cb, rates, product);
  else apply_curved_metric_in_two_passes<p>(curved, Cb, rates, product);
}

}  // namespace dgtd::dg
