#pragma once
// The sparse operators of the Bernstein-Bezier basis, as compile-time tables of rows (index, factor).
#include "dgtd/dg/bernstein.hpp"

namespace dgtd::dg {

struct Term {
  int index = 0;
  double factor = 0;
};

/// A row of a sparse matrix: at most `capacity` terms.
template <int capacity>
struct Row {
  std::array<Term, capacity> terms{};
  int count = 0;
  constexpr void add(int index, double factor) {
    for (int i = 0; i < count; ++i)
      if (terms[i].index == index) {
        terms[i].factor += factor;
        return;
      }
    terms[count++] = {index, factor};
  }
};

/// [nodes of degree q][4]: the node of degree q + 1 with the exponents a + e_m.
template <int q>
inline constexpr auto raised_nodes = [] {
  std::array<std::array<int, 4>, Bernstein<q>::nodes> table{};
  for (int i = 0; i < Bernstein<q>::nodes; ++i)
    for (int m = 0; m < 4; ++m) {
      auto a = Bernstein<q>::exponents[i];
      ++a[m];
      table[i][m] = tetrahedron_index(a);
    }
  return table;
}();

/// [Np] rows: p times degree elevation from p - 1 to p. p u[a] = sum_m a_m c[a - e_m].
template <int p>
inline constexpr auto elevation_rows = [] {
  std::array<Row<4>, Bernstein<p>::nodes> rows{};
  for (int i = 0; i < Bernstein<p>::nodes; ++i)
    for (int m = 0; m < 4; ++m) {
      auto a = Bernstein<p>::exponents[i];
      if (a[m] == 0) continue;
      const double factor = a[m]--;
      rows[i].add(tetrahedron_index(a), factor);
    }
  return rows;
}();

/// [Nf] rows: the lift of a face polynomial onto the layer of volume nodes on that face,
///   L0 = (p+1)^2 E^T E,  E the degree elevation of the triangle from p to p + 1
/// (Chan, Warburton 2017, lemma 3.2), here for mass matrices over the reference triangle (area 1/2)
/// and tetrahedron (volume 1/6). At most seven non-zeros a row.
template <int p>
inline constexpr auto lift_rows = [] {
  std::array<Row<7>, Bernstein<p>::face_nodes> rows{};
  for (int i = 0; i < Bernstein<p>::face_nodes; ++i) {
    const auto b = Bernstein<p>::face_exponents[i];
    for (int k = 0; k < 3; ++k) rows[i].add(i, (b[k] + 1) * (b[k] + 1));
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        if (l == k || b[l] == 0) continue;
        auto c = b;
        ++c[k];
        --c[l];
        rows[i].add(triangle_index(c), (b[k] + 1) * b[l]);
      }
  }
  return rows;
}();

/// [triangle nodes of degree q - 1] rows: q times the transposed degree elevation of the triangle,
/// from degree q to q - 1. q y[b] = sum_k (b_k + 1) z[b + e_k].
template <int q>
inline constexpr auto reduction_rows = [] {
  std::array<Row<3>, triangle_nodes(q - 1)> rows{};
  for (int i = 0; i < triangle_nodes(q - 1); ++i)
    for (int k = 0; k < 3; ++k) {
      auto b = Bernstein<q - 1>::face_exponents[i];
      const double factor = ++b[k];
      rows[i].add(triangle_index(b), factor);
    }
  return rows;
}();

/// Factor of layer j of the lift, (-1)^j binomial(p, j) / (1 + j) (lemma 3.3), divided by the
/// factors p, p - 1, … that reduction_rows leaves out.
constexpr double layer_factor(int j) {
  double factor = 1;
  for (int i = 1; i <= j; ++i) factor /= -(i + 1);
  return factor;
}

// The tables as types, for templates that take an operator.
template <int p>
struct ElevationRows {
  static constexpr auto& rows = elevation_rows<p>;
};
template <int p>
struct LiftRows {
  static constexpr auto& rows = lift_rows<p>;
};
template <int q>
struct ReductionRows {
  static constexpr auto& rows = reduction_rows<q>;
};

}  // namespace dgtd::dg
