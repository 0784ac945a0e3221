#pragma once
// The conserved energy W^n = 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}) in one pass over E and H: a thread computes
// the next H of its element as the half step does, keeps it to itself and adds up the products.
#include "../parallel/cuda_check.hpp"
#include "cuda_view.hpp"
#include "dgtd/base/constants.hpp"
#include "energy_data.hpp"
#include "mass_product.hpp"

namespace dgtd::dg {

/// Thread blocks that a multiprocessor must hold: so many registers as are needed without large spills.
template <int p, class Real>
inline constexpr int energy_resident = sizeof(Real) == 4 && p <= 3 ? (p <= 2 ? 4 : 3) : 1;

/// The base's view of a half step, whose new values are kept by the thread.
template <class Base>
struct NextValues : Base {
  using Real = typename Base::Real;
  const Real* old;  // block's start plus lane
  Real* next;       // [3 Np]

  template <MediumKind, class Increment>
  __device__ __forceinline__ void advance(const Increment& increment) const {
    static_for<3 * Base::nodes>([&](auto i) {
      constexpr int k = decltype(i)::v;
      next[k] = old[k * block_lanes] + increment(Index<k / Base::nodes>{}, Index<k % Base::nodes>{});
    });
  }
};

template <class Real>
__device__ __forceinline__ double energy_of_products(const EnergyData<Real>& data, std::int64_t block, int lane, double e,
                                                     double h) {
  const int group = data.group_of_slot[block * block_lanes + lane];
  return 0.5 * vacuum_permittivity * (data.permittivity[group] * e + data.permeability[group] * h);
}

/// As element_energy.
template <int p, class Real, class HalfStep>
__device__ __forceinline__ double curved_element_energy(const EnergyData<Real>& data, const CurvedArrays<Real>& arrays,
                                                        std::int64_t block, int lane, const HalfStep& half_step) {
  constexpr int nodes = Bernstein<p>::nodes;
  const std::size_t at = std::size_t(block) * BlockLayout<p>::block_reals + lane;
  const StoredMetric<Real> metric = metric_of_curved(arrays, curved_terms(p), block, lane);
  const StoredCoefficients<Real> electric{data.electric + at, nodes}, magnetic{data.magnetic + at, nodes};
  const double e = curved_product<3 * nodes>(data.curved, electric, electric, metric);
  Real next[3 * nodes];
  half_step((block < data.unfiltered_blocks ? data.unfiltered : data.magnetic) + at, next);
  const auto after = [&next](int component, int node) -> double { return next[component * nodes + node]; };
  return energy_of_products(data, block, lane, e, curved_product<3 * nodes>(data.curved, magnetic, after, metric));
}

/// J. half_step(old, next): the values after the half step from the old ones.
template <int p, class Real, class HalfStep>
__device__ __forceinline__ double element_energy(const EnergyData<Real>& data, const Real* metric, std::int64_t block,
                                                 int lane, const HalfStep& half_step) {
  constexpr int nodes = Bernstein<p>::nodes;
  constexpr int rows = nodes % 10 == 0 ? 5 : nodes % 7 == 0 ? 7 : 4;
  constexpr bool unrolled = nodes <= 10;
  constexpr std::integral_constant<int, nodes> all;
  const std::size_t at = std::size_t(block) * BlockLayout<p>::block_reals + lane;
  const LaneMetric m = lane_metric(metric + std::size_t(block) * 6 * block_lanes, lane);

  const StoredCoefficients<Real> electric{data.electric + at, nodes}, magnetic{data.magnetic + at, nodes};
  const double e = mass_product<rows, unrolled>(electric, electric, data.mass, all, m);

  Real next[3 * nodes];
  half_step((block < data.unfiltered_blocks ? data.unfiltered : data.magnetic) + at, next);
  const auto after = [&next](int component, int node) -> double { return next[component * nodes + node]; };
  // The compiler would keep the entries of the mass matrix in registers from the first product to this one.
  const double* mass = data.mass;
  asm volatile("" : "+l"(mass));
  return energy_of_products(data, block, lane, e, mass_product<rows, unrolled>(magnetic, after, mass, all, m));
}

/// Energy of the blocks list[0] to list[blocks - 1], without faces that may absorb.
template <int p, bool curved, class Real>
__global__ void __launch_bounds__(energy_threads, curved ? 1 : energy_resident<p, Real>)
    energy_kernel(const ElementArrays<Real> arrays, const LevelBlock* list, const EnergyData<Real> data,
                  std::int64_t blocks) {
  const std::int64_t k = (std::int64_t(blockIdx.x) * energy_threads + threadIdx.x) / block_lanes;
  double term = 0;
  if (k < blocks) {
    const LevelBlock at = list[k];
    const int lane = int(threadIdx.x % block_lanes);
    const LevelFields<Real> fields;
    const auto half_step = [&](const Real* old, Real* next) {
      element_update<p, KernelTraits{MediumKind::lossless, false, curved}, Real>(NextValues<CudaLevelView<p, Real, false>>{
          {{{arrays, at.block, lane}, data.electric, nullptr}, fields, mirrors_of(arrays, at, lane)}, old, next});
    };
    if constexpr (curved) term = curved_element_energy<p>(data, arrays.curved, at.block, lane, half_step);
    else term = element_energy<p>(data, arrays.metric, at.block, lane, half_step);
  }
  store_sum(term, data.sums);
}

/// Energy of the blocks [first, first + blocks) of a batch with faces that may absorb.
template <int p, bool curved, class Real>
__global__ void __launch_bounds__(energy_threads, curved ? 1 : energy_resident<p, Real>)
    boundary_energy_kernel(const ElementArrays<Real> arrays, const EnergyData<Real> data, std::int64_t first,
                           std::int64_t blocks) {
  const std::int64_t k = (std::int64_t(blockIdx.x) * energy_threads + threadIdx.x) / block_lanes;
  double term = 0;
  if (k < blocks) {
    const std::int64_t block = first + k;
    const int lane = int(threadIdx.x % block_lanes);
    const auto half_step = [&](const Real* old, Real* next) {
      // Only advance() of the base would write.
      Real* const magnetic = const_cast<Real*>(data.magnetic);
      element_update<p, KernelTraits{MediumKind::lossless, true, curved}, Real>(
          NextValues<CudaView<p, Real>>{{{arrays, block, lane}, data.electric, magnetic}, old, next});
    };
    if constexpr (curved) term = curved_element_energy<p>(data, arrays.curved, block, lane, half_step);
    else term = element_energy<p>(data, arrays.metric, block, lane, half_step);
  }
  store_sum(term, data.sums);
}

template <int p, bool curved, class Real>
void launch_energy(const ElementArrays<Real>& arrays, const LevelBlock* list, const EnergyData<Real>& data,
                   std::int64_t blocks, cudaStream_t stream) {
  energy_kernel<p, curved, Real><<<energy_thread_blocks(blocks), energy_threads, 0, stream>>>(arrays, list, data, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

template <int p, bool curved, class Real>
void launch_boundary_energy(const ElementArrays<Real>& arrays, const EnergyData<Real>& data, std::int64_t first,
                            std::int64_t blocks, cudaStream_t stream) {
  boundary_energy_kernel<p, curved, Real>
      <<<energy_thread_blocks(blocks), energy_threads, 0, stream>>>(arrays, data, first, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

}  // namespace dgtd::dg
