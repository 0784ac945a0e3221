#pragma once
// intVolume: the curl inside an element (INRIA report 7592, section 4.3.2), in the strong form.
//
// With covariant components u_k of a field, the contravariant components of its curl are
//   (curl u)^i = 1/J e_ijk d u_k / d l_j,   J = det(a_1, a_2, a_3),
// exact on an affine element. The derivative of a Bernstein polynomial along l_j has the degree-(p-1)
// coefficients p (u[b + e_j] - u[b + e_0]); raising the degree again gives
//   u[a] = sum_m a_m / p  c[a - e_m].
// The factors p cancel. 1/J is part of the metric that updateField applies.
#include "dgtd/dg/kernels/arithmetic.hpp"

namespace dgtd::dg {

/// J (curl u)^i without the factor p, of the difference of u_k along l_j and that of u_j along l_k, i, j, k in cyclic order.
template <class V>
DGTD_HOST_DEVICE V curl_coefficient(V k_raised, V k, V j_raised, V j) {
  return (k_raised - k) - (j_raised - j);
}

/// rates[i][a] = J (curl u)^i. source(component, node) returns a coefficient of u.
template <int p, class V, class Source>
DGTD_HOST_DEVICE void intVolume(const Source& source, V (&rates)[3][Bernstein<p>::nodes]) {
  using Lower = Bernstein<p - 1>;

  V curl[3][Lower::nodes];  // coefficients of degree p - 1
  static_for<Lower::nodes>([&](auto b) {
    constexpr auto raised = raised_nodes<p - 1>[decltype(b)::v];
    const V u1 = source(0, raised[0]), u2 = source(1, raised[0]), u3 = source(2, raised[0]);
    curl[0][b] = curl_coefficient<V>(source(2, raised[2]), u3, source(1, raised[3]), u2);
    curl[1][b] = curl_coefficient<V>(source(0, raised[3]), u1, source(2, raised[1]), u3);
    curl[2][b] = curl_coefficient<V>(source(1, raised[1]), u2, source(0, raised[2]), u1);
  });
  static_for<Bernstein<p>::nodes>([&](auto a) {
    static_for<3>([&](auto i) {
      rates[i][a] = row_times<V, ElevationRows<p>, decltype(a)::v>([&](int lower) { return curl[i][lower]; });
    });
  });
}

}  // namespace dgtd::dg
