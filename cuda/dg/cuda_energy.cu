#include "cuda_energy.hpp"

#include <array>

#include "../parallel/cuda_backend.hpp"
#include "dgtd/base/constants.hpp"
#include "mass_product.hpp"

namespace dgtd::dg {

namespace {

constexpr int threads = 128;

unsigned grid(std::int64_t blocks) { return static_cast<unsigned>((blocks * block_lanes + threads - 1) / threads); }

// Rows of the mass matrix at a time: each coefficient of v is loaded and converted once for all of them.
// Np = 4, 10, 20, 35, 56, 84.
template <class Launch>
void for_rows(int nodes, const Launch& launch) {
  if (nodes % 5 == 0) launch.template operator()<5>();
  else launch.template operator()<4>();
}

// u, v: the element's first coefficients.
template <int rows, class Real>
__device__ double element_product(const Real* u, const Real* v, const double* mass, int nodes, const LaneMetric& m) {
  return mass_product<rows, false>(StoredCoefficients<Real>{u, nodes}, StoredCoefficients<Real>{v, nodes}, mass, nodes,
                                   m);
}

// The product of a curved element. most: 3 Np.
template <int most, class Real>
__device__ double element_product(const Real* u, const Real* v, const CurvedMassTables& tables,
                                  const StoredMetric<Real>& metric) {
  return curved_product<most>(tables, StoredCoefficients<Real>{u, tables.nodes},
                              StoredCoefficients<Real>{v, tables.nodes}, metric);
}
template <class Launch>
void for_coefficients(int nodes, const Launch& launch) {
  if (nodes == 4) launch.template operator()<12>();
  else if (nodes == 10) launch.template operator()<30>();
  else if (nodes == 20) launch.template operator()<60>();
  else launch.template operator()<105>();
}

// Curved elements alone: the others keep their products.
template <int most, class Real>
__global__ void curved_products_kernel(const Real* u, const Real* v, const CurvedMassTables tables,
                                       const CurvedArrays<Real> curved, std::int64_t first, std::int64_t blocks,
                                       double* products) {
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + threadIdx.x, block = i / block_lanes;
  if (block >= blocks || curved.block[first + block] < 0) return;
  const int lane = int(i % block_lanes);
  const std::size_t at = std::size_t(block) * most * block_lanes + lane;
  products[i] = element_product<most>(u + at, v + at, tables, metric_of_curved(curved, tables.terms, first + block, lane));
}

template <int rows, class Real>
__global__ void products_kernel(const Real* u, const Real* v, const double* mass, int nodes, const Real* metric,
                                std::int64_t first, std::int64_t blocks, double* products) {
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= blocks * block_lanes) return;
  const std::int64_t block = i / block_lanes;
  const int lane = int(i % block_lanes);
  const std::size_t at = std::size_t(block) * 3 * nodes * block_lanes + lane;
  products[i] =
      element_product<rows>(u + at, v + at, mass, nodes, lane_metric(metric + (first + block) * 6 * block_lanes, lane));
}

// The limbs of Executor::add_product. Integers: their sum has no order. term(block, lane): of a slot; all lanes of a warp
// call it, or none.
template <class Term>
__device__ __forceinline__ void add_limbs(std::int64_t slots, unsigned long long* limbs, const Term& term_of) {
  constexpr int limb_count = parallel::ReproducibleSum::limbs;
  __shared__ unsigned long long of_block[limb_count];
  for (int k = threadIdx.x; k < limb_count; k += threads) of_block[k] = 0;
  __syncthreads();
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + threadIdx.x;
  if (i < slots) {  // all lanes of a warp or none
    const std::int64_t block = i / block_lanes;
    const int lane = int(i % block_lanes);
    const double term = term_of(block, lane);
    const parallel::LimbParts parts = parallel::limb_parts(term);
    // Terms of a warp have one to three different first limbs: those of each are added up before they meet in memory.
    constexpr unsigned all = 0xffffffffu;
    for (unsigned rest = __ballot_sync(all, term != 0); rest != 0;) {
      const int first = __shfl_sync(all, parts.first, __ffs(rest) - 1);
      const bool mine = parts.first == first;
      for (int k = 0; k < 3; ++k) {
        std::int64_t sum = mine ? parts.part[k] : 0;
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(all, sum, distance);
        if (lane == 0 && sum != 0) atomicAdd(of_block + first + k, static_cast<unsigned long long>(sum));
      }
      rest &= ~__ballot_sync(all, mine);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < limb_count; k += threads)
    if (of_block[k] != 0) atomicAdd(limbs + k, of_block[k]);
}

// Straight elements; curved: null, or the place of each block (CurvedArrays).
template <int rows, class Real>
__global__ void product_kernel(const Real* u, const Real* v, const double* mass, int nodes, const Real* metric,
                               const double* material, const std::uint16_t* group_of_slot, const std::int32_t* curved,
                               std::int64_t slots, unsigned long long* limbs) {
  add_limbs(slots, limbs, [&](std::int64_t block, int lane) {
    if (curved != nullptr && curved[block] >= 0) return 0.0;
    const std::size_t at = std::size_t(block) * 3 * nodes * block_lanes + lane;
    const LaneMetric m = lane_metric(metric + block * 6 * block_lanes, lane);
    return material[group_of_slot[block * block_lanes + lane]] * element_product<rows>(u + at, v + at, mass, nodes, m);
  });
}
template <int most, class Real>
__global__ void curved_product_kernel(const Real* u, const Real* v, const CurvedMassTables tables,
                                      const CurvedArrays<Real> curved, const double* material,
                                      const std::uint16_t* group_of_slot, std::int64_t slots, unsigned long long* limbs) {
  add_limbs(slots, limbs, [&](std::int64_t block, int lane) {
    if (curved.block[block] < 0) return 0.0;
    const std::size_t at = std::size_t(block) * most * block_lanes + lane;
    return material[group_of_slot[block * block_lanes + lane]] *
           element_product<most>(u + at, v + at, tables, metric_of_curved(curved, tables.terms, block, lane));
  });
}

// J, what the poles of the elements of the blocks [first, first + blocks) store: a thread has an element. size: rows of
// the mass matrix, or the coefficients of a curved element.
template <int size, bool curved, class Real>
__global__ void __launch_bounds__(energy_threads)
    storage_kernel(const ElementArrays<Real> arrays, const double* mass, const CurvedMassTables tables, int nodes,
                   const double* permittivity, std::int64_t first, std::int64_t blocks, double* sums) {
  const std::int64_t k = (std::int64_t(blockIdx.x) * energy_threads + threadIdx.x) / block_lanes;
  double term = 0;
  if (k < blocks) {
    const std::int64_t block = first + k, of_state = block - arrays.state[state_of_poles].first;
    const int lane = int(threadIdx.x % block_lanes);
    const PoleArrays<Real>& poles = arrays.poles;
    const LaneMetric m = lane_metric(arrays.metric + block * 6 * block_lanes, lane);
    const int group = poles.medium[block * block_lanes + lane];
    const std::size_t reals = std::size_t{3} * nodes * block_lanes;
    const Real* const kept =
        arrays.state[state_of_poles].values + std::size_t(of_state) * poles.most.kept() * reals + lane;
    for_each_pole(poles.counts[of_state], poles.most, [&](auto kind, int place, int number) {
      using Kind = decltype(kind);
      const StorageFactors factors =
          storage_factors<Kind::has_C3>(poles.table + std::size_t(group) * poles.row, poles.most, place);
      const auto add = [&](int one, int other, double factor) {
        if (factor == 0) return;
        const Real *const u = kept + one * reals, *const v = kept + other * reals;
        if constexpr (curved)
          term += factor * element_product<size>(u, v, tables, metric_of_curved(arrays.curved, tables.terms, block, lane));
        else term += factor * element_product<size>(u, v, mass, nodes, m);
      };
      if constexpr (Kind::has_v) add(number, number, factors.v);
      if constexpr (Kind::has_P) add(number + Kind::has_v, number + Kind::has_v, factors.P);
      if constexpr (Kind::has_C3) add(number, number + 1, factors.vP);
    });
    term *= vacuum_permittivity * permittivity[group];
  }
  store_sum(term, sums);
}

struct SumAt {
  const double* sums;
  __device__ double operator()(std::int64_t i) const { return sums[i]; }
};

}  // namespace

template <class Real>
CudaEnergy<Real>::CudaEnergy(const Discretisation<Real>& d, parallel::Memory& memory, cudaStream_t stream)
    : d_(d),
      memory_(memory),
      stream_(stream),
      mass_(MassForm(d.order).matrix(), memory),
      group_of_slot_(d.group_of_slot, memory),
      total_(1, memory) {
  std::vector<double> permittivity, permeability;
  for (const auto& m : d.material) {
    permittivity.push_back(m.permittivity);
    permeability.push_back(m.permeability);
  }
  permittivity_ = {permittivity, memory};
  permeability_ = {permeability, memory};
  if (d.curved_blocks == 0) return;
  const CurvedTables tables(d.order);
  curved_mass_ = {tables.mass, memory};
  curved_inverse_ = {tables.inverse, memory};
  curved_weights_ = {tables.weights, memory};
  curved_values_ = {tables.values, memory};
  curved_expansion_ = {tables.expansion, memory};
}

template <class Real>
CurvedMassTables CudaEnergy<Real>::curved_tables() const {
  if (d_.curved_blocks == 0) return {};
  return {d_.layout.nodes,        curved_points(d_.order), curved_terms(d_.order), curved_mass_.read(),
          curved_inverse_.read(), curved_weights_.read(),  curved_values_.read(),  curved_expansion_.read()};
}

template <class Real>
double CudaEnergy<Real>::bytes() const {
  return mass_.bytes() + group_of_slot_.bytes() + sums_.bytes();
}

template <class Real>
void CudaEnergy<Real>::products(const Real* u, const Real* v, const Real* metric, const CurvedArrays<Real>& curved,
                                std::int64_t first, std::int64_t blocks, double* products) {
  for_rows(d_.layout.nodes, [&]<int rows>() {
    products_kernel<rows, Real>
        <<<grid(blocks), threads, 0, stream_>>>(u, v, mass_.read(), d_.layout.nodes, metric, first, blocks, products);
  });
  if (d_.curved_blocks > 0)
    for_coefficients(d_.layout.nodes, [&]<int most>() {
      curved_products_kernel<most, Real>
          <<<grid(blocks), threads, 0, stream_>>>(u, v, curved_tables(), curved, first, blocks, products);
    });
  DGTD_CUDA_CHECK_LAUNCH();
}

// Every block is in one kernel of E and H and in at most one of poles.
template <class Real>
double* CudaEnergy<Real>::sums_of(std::int64_t blocks) {
  const std::size_t most = static_cast<std::size_t>(d_.owned_blocks) * (d_.dispersion.most.poles() > 0 ? 2 : 1);
  if (sums_.size() == 0) sums_ = parallel::Array<double>(most, memory_);
  double* const sums = sums_.write() + summed_;
  summed_ += energy_thread_blocks(blocks);
  return sums;
}

template <class Real>
void CudaEnergy<Real>::add_storage(bool curved, const ElementArrays<Real>& arrays, std::int64_t first,
                                   std::int64_t blocks) {
  double* const sums = sums_of(blocks);
  const auto launch = [&]<int size, bool of_curved>() {
    storage_kernel<size, of_curved, Real><<<energy_thread_blocks(blocks), energy_threads, 0, stream_>>>(
        arrays, mass_.read(), curved_tables(), d_.layout.nodes, permittivity_.read(), first, blocks, sums);
  };
  if (curved) for_coefficients(d_.layout.nodes, [&]<int most>() { launch.template operator()<most, true>(); });
  else for_rows(d_.layout.nodes, [&]<int rows>() { launch.template operator()<rows, false>(); });
  DGTD_CUDA_CHECK_LAUNCH();
}

template <class Real>
EnergyData<Real> CudaEnergy<Real>::data(const Real* electric, const Real* magnetic, const Real* unfiltered,
                                        std::int64_t unfiltered_blocks, std::int64_t blocks) {
  double* const sums = sums_of(blocks);
  return {mass_.read(),
          permittivity_.read(),
          permeability_.read(),
          group_of_slot_.read(),
          electric,
          magnetic,
          unfiltered,
          unfiltered_blocks,
          sums,
          curved_tables()};
}

template <class Real>
void CudaEnergy<Real>::add_product(bool electric, const Real* u, const Real* v, const Real* metric,
                                   const CurvedArrays<Real>& curved, std::int64_t blocks,
                                   parallel::ReproducibleSum& sum) {
  if (blocks == 0) return;
  constexpr std::size_t limb_count = parallel::ReproducibleSum::limbs;
  if (limbs_.size() == 0) limbs_ = parallel::Array<unsigned long long>(limb_count, memory_);
  DGTD_CUDA_CHECK(cudaMemsetAsync(limbs_.write(), 0, limb_count * sizeof(unsigned long long), stream_));
  const double* const material = electric ? permittivity_.read() : permeability_.read();
  for_rows(d_.layout.nodes, [&]<int rows>() {
    product_kernel<rows, Real><<<grid(blocks), threads, 0, stream_>>>(
        u, v, mass_.read(), d_.layout.nodes, metric, material, group_of_slot_.read(), curved.block, blocks * block_lanes,
        limbs_.write());
  });
  if (d_.curved_blocks > 0)
    for_coefficients(d_.layout.nodes, [&]<int most>() {
      curved_product_kernel<most, Real><<<grid(blocks), threads, 0, stream_>>>(
          u, v, curved_tables(), curved, material, group_of_slot_.read(), blocks * block_lanes, limbs_.write());
    });
  DGTD_CUDA_CHECK_LAUNCH();
  std::array<std::int64_t, limb_count> limbs;
  DGTD_CUDA_CHECK(cudaMemcpyAsync(limbs.data(), limbs_.write(), sizeof limbs, cudaMemcpyDeviceToHost, stream_));
  DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
  sum.add_limbs(limbs);
}

template <class Real>
double CudaEnergy<Real>::take_sum() {
  if (summed_ == 0) return 0;
  DGTD_CUDA_CHECK(cudaMemsetAsync(total_.write(), 0, sizeof(double), stream_));
  parallel::sum_kernel<<<1, parallel::summing_threads, 0, stream_>>>(SumAt{sums_.read()}, summed_, 1.0, total_.write());
  DGTD_CUDA_CHECK_LAUNCH();
  summed_ = 0;
  return total_.part(0, 1)[0];
}

template class CudaEnergy<float>;
template class CudaEnergy<double>;

}  // namespace dgtd::dg
