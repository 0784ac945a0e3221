#pragma once
// Bernstein-Bezier basis of degree p on a tetrahedron and on its faces, as compile-time tables.
//
// B_a = p! / (a0! a1! a2! a3!) l0^a0 l1^a1 l2^a2 l3^a3, |a| = p, l the barycentric coordinates. It
// spans P_p, so the scheme is that of the nodal basis to rounding, and all its operators are sparse
// (Chan, Warburton, "GPU-accelerated Bernstein-Bezier discontinuous Galerkin methods for wave
// problems", SIAM J. Sci. Comput. 39 (2017), arXiv 1512.06025).
#include <array>

namespace dgtd::dg {

constexpr int tetrahedron_nodes(int p) { return (p + 1) * (p + 2) * (p + 3) / 6; }
constexpr int triangle_nodes(int p) { return (p + 1) * (p + 2) / 2; }

/// Position of the exponents (a0, a1, a2, a3) of degree p = a0 + a1 + a2 + a3: a3 varies slowest, a1 fastest.
constexpr int tetrahedron_index(const std::array<int, 4>& a) {
  const int p = a[0] + a[1] + a[2] + a[3];
  int index = 0;
  for (int k = 0; k < a[3]; ++k) index += triangle_nodes(p - k);
  const int q = p - a[3];
  for (int j = 0; j < a[2]; ++j) index += q - j + 1;
  return index + a[1];
}

/// The same on a triangle, exponents (b0, b1, b2).
constexpr int triangle_index(const std::array<int, 3>& b) {
  const int p = b[0] + b[1] + b[2];
  int index = 0;
  for (int j = 0; j < b[2]; ++j) index += p - j + 1;
  return index + b[1];
}

template <int p>
struct Bernstein {
  static constexpr int nodes = tetrahedron_nodes(p);    // Np
  static constexpr int face_nodes = triangle_nodes(p);  // Nf
  static constexpr int lower_nodes = tetrahedron_nodes(p - 1);

  /// [nodes][4] exponents of each tetrahedral function.
  static constexpr std::array<std::array<int, 4>, nodes> exponents = [] {
    std::array<std::array<int, 4>, nodes> table{};
    for (int a3 = 0; a3 <= p; ++a3)
      for (int a2 = 0; a2 + a3 <= p; ++a2)
        for (int a1 = 0; a1 + a2 + a3 <= p; ++a1) {
          const std::array<int, 4> a{p - a1 - a2 - a3, a1, a2, a3};
          table[tetrahedron_index(a)] = a;
        }
    return table;
  }();

  /// [face nodes][3] exponents of each triangular function.
  static constexpr std::array<std::array<int, 3>, face_nodes> face_exponents = [] {
    std::array<std::array<int, 3>, face_nodes> table{};
    for (int b2 = 0; b2 <= p; ++b2)
      for (int b1 = 0; b1 + b2 <= p; ++b1) {
        const std::array<int, 3> b{p - b1 - b2, b1, b2};
        table[triangle_index(b)] = b;
      }
    return table;
  }();
};

/// The tetrahedron's exponents whose exponent of vertex `face` is `layer` and whose others, in the
/// order of the face's ascending vertices, are b. Layer 0 is the trace on the face.
constexpr std::array<int, 4> on_layer(int face, int layer, const std::array<int, 3>& b) {
  std::array<int, 4> a{};
  for (int v = 0, k = 0; v < 4; ++v) a[v] = v == face ? layer : b[k++];
  return a;
}

/// [4][Nf] volume node of each face node; the same face node has the same place seen from both sides.
template <int p>
inline constexpr auto face_node_table = [] {
  std::array<std::array<int, Bernstein<p>::face_nodes>, 4> table{};
  for (int face = 0; face < 4; ++face)
    for (int i = 0; i < Bernstein<p>::face_nodes; ++i)
      table[face][i] = tetrahedron_index(on_layer(face, 0, Bernstein<p>::face_exponents[i]));
  return table;
}();

}  // namespace dgtd::dg
