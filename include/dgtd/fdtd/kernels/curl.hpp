#pragma once
// The curl on Yee's lattice with the recursive convolution of absorbing layers (CPML: Roden, Gedney 2000).
// Component a of a curl is d_b F_c - d_c F_b, a, b, c cyclic. In a layer along axis b the derivative is
//   d F / kappa + psi,   psi <- decay psi + drive dF.
#include "dgtd/fdtd/kernels/views.hpp"

namespace dgtd::fdtd {

/// Differences towards lower indices (E from H) or higher ones (H from E).
enum class Difference { backward, forward };

template <class Real, Difference direction>
DGTD_HOST_DEVICE Real difference(const Real* f, std::int64_t n, std::int64_t stride) {
  return direction == Difference::backward ? f[n] - f[n - stride] : f[n + stride] - f[n];
}

/// Adds the derivatives along axis b to the components that have them: c gains -d_b F_a... in cyclic terms,
/// curl_a += d_b F_c and curl_c -= d_b F_a.
template <class Real, Difference direction, bool layered, int b>
DGTD_HOST_DEVICE void add_derivatives(const HalfStepView<Real>& v, const Tile& tile, int position, std::int64_t n, int cell, Real (&curl)[3]) {
  constexpr int a = (b + 2) % 3, c = (b + 1) % 3;
  const Real df_c = difference<Real, direction>(v.source[c], n, v.layout.stride(b));
  const Real df_a = difference<Real, direction>(v.source[a], n, v.layout.stride(b));
  const Real inverse = v.axis[b].inverse_distance[position];
  curl[a] += df_c * inverse;
  curl[c] -= df_a * inverse;
  if (layered && tile.layer[b] >= 0) {
    const Real drive = v.axis[b].drive[position], decay = v.axis[b].decay[position];
#if !defined(__CUDA_ARCH__)
    if (b == 0 || drive != 0)  // along x a row of cells is one vector: no branch
#else
    if (drive != 0)
#endif
    {
      Real* const psi_a = v.layer_at(b, tile.layer[b], 0, cell);
      Real* const psi_c = v.layer_at(b, tile.layer[b], 1, cell);
      const Real new_a = decay * *psi_a + drive * df_c;
      const Real new_c = decay * *psi_c + drive * df_a;
      *psi_a = new_a;
      *psi_c = new_c;
      curl[a] += new_a;
      curl[c] -= new_c;
    }
  }
}

template <class Real, Difference direction, bool layered>
DGTD_HOST_DEVICE void curl_at(const HalfStepView<Real>& v, const Tile& tile, const int (&at)[3], std::int64_t n, int cell, Real (&curl)[3]) {
  curl[0] = curl[1] = curl[2] = 0;
  add_derivatives<Real, direction, layered, 0>(v, tile, at[0], n, cell, curl);
  add_derivatives<Real, direction, layered, 1>(v, tile, at[1], n, cell, curl);
  add_derivatives<Real, direction, layered, 2>(v, tile, at[2], n, cell, curl);
}

}  // namespace dgtd::fdtd
