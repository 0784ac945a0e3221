#pragma once
// The mass inner product of two fields over an element on the device, in double precision.
#include "dgtd/dg/inner_product.hpp"
#include "energy_data.hpp"

namespace dgtd::dg {

/// Adds up the terms of the threads of a thread block in sums[blockIdx.x]. All of its threads call it.
__device__ __forceinline__ void store_sum(double term, double* sums) {
  __shared__ double of_warp[energy_threads / 32];
  for (int distance = 16; distance > 0; distance /= 2) term += __shfl_down_sync(0xffffffffu, term, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = term;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double sum = 0;
  for (int warp = 0; warp < energy_threads / 32; ++warp) sum += of_warp[warp];
  sums[blockIdx.x] = sum;
}

/// Coefficients of an element in a field array; at: the block's start plus lane.
template <class Real>
struct StoredCoefficients {
  const Real* at;
  int nodes;
  __device__ __forceinline__ double operator()(int component, int node) const {
    return at[(component * nodes + node) * block_lanes];
  }
};

/// G of a curved element; at: the first entry plus lane.
template <class Real>
struct StoredMetric {
  const Real* at;
  __device__ __forceinline__ double operator()(int term, int entry) const { return at[(term * 6 + entry) * block_lanes]; }
};
template <class Real>
__device__ __forceinline__ StoredMetric<Real> metric_of_curved(const CurvedArrays<Real>& arrays, int terms,
                                                               std::int64_t block, int lane) {
  return {arrays.metric + std::size_t(arrays.block[block]) * terms * 6 * block_lanes + lane};
}

/// integral of u . v over an element; mass: [nodes][nodes] over the reference tetrahedron. u(component, node),
/// v(component, node). Sums in the order of MassForm::block. So many rows of the mass matrix at a time: each
/// coefficient of v is loaded and converted once for all of them; rows divides nodes. nodes: an int, or a constant
/// (std::integral_constant): then the loops are unrolled where `unrolled` is set.
template <int rows, bool unrolled, class U, class V, class Nodes>
__device__ __forceinline__ double mass_product(const U& u, const V& v, const double* mass, Nodes nodes,
                                               const LaneMetric& m) {
  constexpr int most = unrolled ? 1024 : 1;
  double product[3][3] = {};
#pragma unroll most
  for (int i = 0; i < nodes; i += rows) {
    double w[rows][3] = {};
#pragma unroll most
    for (int j = 0; j < nodes; ++j) {
      double of_v[3];
#pragma unroll
      for (int l = 0; l < 3; ++l) of_v[l] = v(l, j);
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const double factor = __ldg(mass + (i + r) * nodes + j);
#pragma unroll
        for (int l = 0; l < 3; ++l) w[r][l] = ::fma(factor, of_v[l], w[r][l]);
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        const double of_u = u(k, i + r);
#pragma unroll
        for (int l = 0; l < 3; ++l) product[k][l] = ::fma(of_u, w[r][l], product[k][l]);
      }
  }
  return m.inverse[0] * product[0][0] + m.inverse[3] * product[1][1] + m.inverse[5] * product[2][2] +
         m.inverse[1] * (product[0][1] + product[1][0]) + m.inverse[2] * (product[0][2] + product[2][0]) +
         m.inverse[4] * (product[1][2] + product[2][1]);
}

}  // namespace dgtd::dg
