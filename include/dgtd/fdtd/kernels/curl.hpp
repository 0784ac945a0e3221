#pragma once
// The curl on Yee's lattice with the recursive convolution of absorbing layers (CPML: Roden, Gedney 2000).
// Component a of a curl is d_b F_c - d_c F_b, a, b, c cyclic. In a layer along axis b the derivative is
//   d F / kappa + psi,   psi <- b psi + c dF.
// A field u takes it derivative by derivative, along x, y, z, each with one rounding:
//   u <- u + (Cb / (kappa distance)) dF,   in layers besides   u <- u + Cb psi.
//
// Everything works on `lanes` cells that follow each other along x: one for a GPU's thread, a row of a tile or
// eight cells of it for a CPU, whose loops over lanes are vectors. Lanes beyond the block compute with zeros.
#include <cmath>

#include "dgtd/base/half_lanes.hpp"
#include "dgtd/fdtd/kernels/views.hpp"

namespace dgtd::fdtd {

/// Differences towards lower indices (E from H) or higher ones (H from E).
enum class Difference { backward, forward };

/// The kind of a row of cells for which a half step is compiled.
struct RowKind {
  Difference direction;
  bool layered = false;     // some cells are in absorbing layers or adiabatic absorbers
  bool mixed = false;       // a class of medium per component, else one of the tile
  bool dispersive = false;  // media with poles
  bool stores_psi = true;   // else the new psi of layers are not stored
};

/// a b + c, rounded once where the processor has it. Written out because contraction by the compiler is off.
template <class Real>
DGTD_HOST_DEVICE Real multiply_add(Real a, Real b, Real c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  if constexpr (sizeof(Real) == 4) return ::fmaf(a, b, c);
  else return ::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// f(lane) for `count` lanes from `first` on.
template <int count, class F>
DGTD_HOST_DEVICE void for_lanes(int first, const F& f) {
  if constexpr (count == 1) {
    f(first);
  } else {
#if defined(__CUDA_ARCH__)
#pragma unroll
#else
#pragma omp simd
#endif
    for (int l = first; l < first + count; ++l) f(l);
  }
}
template <int count, class F>
DGTD_HOST_DEVICE void for_lanes(const F& f) {
  for_lanes<count>(0, f);
}

/// `lanes` values of a field next to each other, as numbers to compute with. A compressed field is decoded once for all
/// lanes of a CPU.
template <class Stored, int lanes, class Number>
struct LaneValues {
  const Stored* from;
  DGTD_HOST_DEVICE explicit LaneValues(const Stored* at) : from(at) {}
  DGTD_HOST_DEVICE Number operator[](int l) const { return load_as<Number>(from + l); }
};
template <int lanes>
requires(lanes > 1) struct LaneValues<Half, lanes, float> {
  float values[lanes];
  explicit LaneValues(const Half* at) { decode_lanes<lanes>(at, values); }
  float operator[](int l) const { return values[l]; }
};

/// A row of cells: its first cell, in the block, in its component arrays and in its tile.
struct Row {
  int at[3];
  std::int64_t n;
  int cell;
};

DGTD_HOST_DEVICE Row row_of(const GridLayout& layout, const Tile& tile, int i, int j, int k) {
  const int at[3] = {tile.first[0] + i, tile.first[1] + j, tile.first[2] + k};
  return {{at[0], at[1], at[2]}, layout.index(at[0], at[1], at[2]), (k * tile_cells(1) + j) * tile_cells(0) + i};
}

/// Adds the derivatives along axis b to the components that have them: of E u_a += Cb_a d_b F_c and
/// u_c -= Cb_c d_b F_a, of H with the other signs. Cb: [3][lanes] or, the same for all lanes, [3][1], m. Number:
/// what fields are computed in; Cb, distances and their products become such numbers.
template <RowKind kind, int b, class Stored, int lanes, int media, class Number>
DGTD_HOST_DEVICE void add_derivatives(const HalfStepView<Stored>& v, const Tile& tile, const Row& row,
                                      const arithmetic_t<Stored> (&Cb)[3][media], Number (&u)[3][lanes]) {
  using Real = arithmetic_t<Stored>;
  constexpr int a = (b + 2) % 3, c = (b + 1) % 3;
  constexpr bool backward = kind.direction == Difference::backward;
  constexpr int plus = backward ? a : c, minus = backward ? c : a;
  const std::int64_t stride = v.layout.stride(b), lower = backward ? row.n - stride : row.n;
  const LaneValues<Stored, lanes, Number> plus_below(v.source[minus] + lower),
      plus_above(v.source[minus] + lower + stride), minus_below(v.source[plus] + lower),
      minus_above(v.source[plus] + lower + stride);
  Number d_plus[lanes], d_minus[lanes];
  for_lanes<lanes>([&](int l) DGTD_INLINE {
    const Real inverse = load(v.axis[b].inverse_distance + row.at[b] + (b == 0 ? l : 0));
    d_plus[l] = plus_above[l] - plus_below[l];
    d_minus[l] = minus_above[l] - minus_below[l];
    const Number per_distance = in_lengths<Number>(inverse, v.length);
    const auto coefficient = [&](int component) DGTD_INLINE {
      return in_lengths<Number>(Cb[component][media > 1 ? l : 0], v.per_length) * per_distance;
    };
    u[plus][l] = multiply_add(coefficient(plus), d_plus[l], u[plus][l]);
    u[minus][l] = multiply_add(-coefficient(minus), d_minus[l], u[minus][l]);
  });
  if constexpr (kind.layered) {
    if (tile.layer[b] < 0 || ((b > 0 || lanes == 1) && load(v.axis[b].c + row.at[b]) == 0)) return;
    // psi of d_b F_c and of d_b F_a, in this order, for E and for H
    Real* const psi_plus = v.layer_at(b, tile, plus == a ? 0 : 1, row.cell);
    Real* const psi_minus = v.layer_at(b, tile, plus == a ? 1 : 0, row.cell);
    const Real *const all_c = v.axis[b].c + row.at[b], *const all_b = v.axis[b].b + row.at[b];
    const auto convolve_with = [&](Real c_here, Real b_here, int l) DGTD_INLINE {
      const Number c = in_lengths<Number>(c_here, v.length);
      const Number new_plus = multiply_add(Number(b_here), in_lengths<Number>(psi_plus[l], v.length), c * d_plus[l]);
      const Number new_minus = multiply_add(Number(b_here), in_lengths<Number>(psi_minus[l], v.length), c * d_minus[l]);
      if constexpr (kind.stores_psi) psi_plus[l] = from_lengths(new_plus, v.per_length);
      if constexpr (kind.stores_psi) psi_minus[l] = from_lengths(new_minus, v.per_length);
      const Real Cb_plus = Cb[plus][media > 1 ? l : 0], Cb_minus = Cb[minus][media > 1 ? l : 0];
      u[plus][l] = multiply_add(in_lengths<Number>(Cb_plus, v.per_length), new_plus, u[plus][l]);
      u[minus][l] = multiply_add(in_lengths<Number>(-Cb_minus, v.per_length), new_minus, u[minus][l]);
    };
    if constexpr (b > 0 || lanes == 1) {  // one pair of numbers, which is read once: psi might lie in its place
      const Real c_here = load(all_c), b_here = load(all_b);
      for_lanes<lanes>([&](int l) DGTD_INLINE { convolve_with(c_here, b_here, l); });
    } else {
      // Along x only the groups of lanes that the layer touches; outside it b and c are zero.
      constexpr int group = 8;
      const int offset = row.at[0] - tile.first[0];
      for (int first = 0; first < lanes; first += group)
        if (offset + first + group > tile.layer_lanes[0] && offset + first < tile.layer_lanes[1])
          for_lanes<group>(first, [&](int l) DGTD_INLINE { convolve_with(load(all_c + l), load(all_b + l), l); });
    }
  }
}

/// u += Cb curl F (E from H) or u -= Cb curl F (H from E).
template <RowKind kind, class Stored, int lanes, int media, class Number>
DGTD_HOST_DEVICE void add_curl(const HalfStepView<Stored>& v, const Tile& tile, const Row& row,
                               const arithmetic_t<Stored> (&Cb)[3][media], Number (&u)[3][lanes]) {
  add_derivatives<kind, 0>(v, tile, row, Cb, u);
  add_derivatives<kind, 1>(v, tile, row, Cb, u);
  add_derivatives<kind, 2>(v, tile, row, Cb, u);
}

}  // namespace dgtd::fdtd
