#pragma once
// The curl on Yee's lattice with the recursive convolution of absorbing layers (CPML: Roden, Gedney 2000).
// Component a of a curl is d_b F_c - d_c F_b, a, b, c cyclic. In a layer along axis b the derivative is
//   d F / kappa + psi,   psi <- decay psi + drive dF.
//
// Everything works on `lanes` cells that follow each other along x: one for a GPU's thread, a row of a tile or
// eight cells of it for a CPU, whose loops over lanes are vectors. Lanes beyond the block compute with zeros.
#include "dgtd/fdtd/kernels/views.hpp"

namespace dgtd::fdtd {

/// Differences towards lower indices (E from H) or higher ones (H from E).
enum class Difference { backward, forward };

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

template <class Real, Difference direction>
DGTD_HOST_DEVICE Real difference(const Real* f, std::int64_t n, std::int64_t stride) {
  return direction == Difference::backward ? load(f + n) - load(f + n - stride) : load(f + n + stride) - load(f + n);
}

/// Adds the derivatives along axis b to the components that have them: curl_a += d_b F_c, curl_c -= d_b F_a.
template <class Real, Difference direction, bool layered, int b, int lanes>
DGTD_HOST_DEVICE void add_derivatives(const HalfStepView<Real>& v, const Tile& tile, const Row& row,
                                      Real (&curl)[3][lanes]) {
  constexpr int a = (b + 2) % 3, c = (b + 1) % 3;
  const Real *const f_a = v.source[a], *const f_c = v.source[c];
  const std::int64_t stride = v.layout.stride(b);
  Real d_c[lanes], d_a[lanes];
  for_lanes<lanes>([&](int l) DGTD_INLINE {
    const Real inverse = load(v.axis[b].inverse_distance + row.at[b] + (b == 0 ? l : 0));
    d_c[l] = difference<Real, direction>(f_c, row.n + l, stride);
    d_a[l] = difference<Real, direction>(f_a, row.n + l, stride);
    curl[a][l] += d_c[l] * inverse;
    curl[c][l] -= d_a[l] * inverse;
  });
  if constexpr (layered) {
    if (tile.layer[b] < 0 || ((b > 0 || lanes == 1) && load(v.axis[b].drive + row.at[b]) == 0)) return;
    Real* const psi_a = v.layer_at(b, tile, 0, row.cell);
    Real* const psi_c = v.layer_at(b, tile, 1, row.cell);
    const auto convolve = [&](int l) DGTD_INLINE {
      const int position = row.at[b] + (b == 0 ? l : 0);
      const Real drive = load(v.axis[b].drive + position), decay = load(v.axis[b].decay + position);
      const Real new_a = decay * psi_a[l] + drive * d_c[l];
      const Real new_c = decay * psi_c[l] + drive * d_a[l];
      psi_a[l] = new_a;
      psi_c[l] = new_c;
      curl[a][l] += new_a;
      curl[c][l] -= new_c;
    };
    if constexpr (b > 0 || lanes == 1) {
      for_lanes<lanes>(convolve);
    } else {
      // Along x only the groups of lanes that the layer touches; outside it decay and drive are zero.
      constexpr int group = 8;
      const int offset = row.at[0] - tile.first[0];
      for (int first = 0; first < lanes; first += group)
        if (offset + first + group > tile.layer_lanes[0] && offset + first < tile.layer_lanes[1])
          for_lanes<group>(first, convolve);
    }
  }
}

template <class Real, Difference direction, bool layered, int lanes>
DGTD_HOST_DEVICE void curl_of_row(const HalfStepView<Real>& v, const Tile& tile, const Row& row,
                                  Real (&curl)[3][lanes]) {
  static_for<3>([&](auto c) DGTD_INLINE { for_lanes<lanes>([&](int l) DGTD_INLINE { curl[c][l] = 0; }); });
  add_derivatives<Real, direction, layered, 0>(v, tile, row, curl);
  add_derivatives<Real, direction, layered, 1>(v, tile, row, curl);
  add_derivatives<Real, direction, layered, 2>(v, tile, row, curl);
}

}  // namespace dgtd::fdtd
