// Half steps by a warp per component have the bits of those by a thread per element, at orders that take the latter,
// too, so that all builds have this test. Label gpu, skipped where no device answers.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "component_kernel.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/cuda_device.hpp"

namespace dgtd::dg::test {
namespace {

template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : bytes_(values.size() * sizeof(T)) {
    DGTD_CUDA_CHECK(cudaMalloc(&at_, bytes_));
    DGTD_CUDA_CHECK(cudaMemcpy(at_, values.data(), bytes_, cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(at_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* at() const { return at_; }
  std::vector<T> values() const {
    std::vector<T> host(bytes_ / sizeof(T));
    DGTD_CUDA_CHECK(cudaMemcpy(host.data(), at_, bytes_, cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* at_ = nullptr;
  std::size_t bytes_;
};

// A thread per element, as batches of other orders.
template <int p, int traits, class Real>  // traits: KernelTraits::number()
__global__ void thread_per_element(const ElementArrays<Real> arrays, const Real* __restrict__ source, Real* target) {
  element_update<p, KernelTraits::of_number(traits), Real>(
      CudaView<p, Real>{{arrays, blockIdx.x, int(threadIdx.x)}, source, target});
}

template <class Real>
std::vector<Real> random_reals(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> value(-1, 1);
  std::vector<Real> reals(n);
  for (Real& x : reals) x = value(random);
  return reals;
}

template <int p, bool conductive, class Real>
void expect_same_bits() {
  const parallel::Communicator self{MPI_COMM_SELF};
  const auto mesh = mesh::make_box({5, 4, 3}, {1, 1, 1}, self);  // neighbours by all pairs of faces, in other blocks
  const Discretisation<Real> d(mesh, {{}}, std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), 1, false,
                               int(block_lanes));
  const std::size_t blocks = d.neighbour.size() / (4 * block_lanes);
  const std::size_t reals = blocks * BlockLayout<p>::block_reals;
  const OnDevice<std::uint32_t> neighbour(d.neighbour);
  const OnDevice<Real> metric(random_reals<Real>(blocks * 6 * block_lanes, 1)),
      Ca(random_reals<Real>(blocks * block_lanes, 2)), Cb(random_reals<Real>(blocks * block_lanes, 3)),
      source(random_reals<Real>(reals, 4)), by_threads(random_reals<Real>(reals, 5)),
      by_components(random_reals<Real>(reals, 5));
  ElementArrays<Real> arrays{};
  arrays.neighbour = neighbour.at(), arrays.metric = metric.at(), arrays.Ca = Ca.at(), arrays.Cb = Cb.at();
  constexpr KernelTraits traits{conductive ? MediumKind::conductive : MediumKind::lossless};
  thread_per_element<p, traits.number(), Real><<<unsigned(blocks), block_lanes>>>(arrays, source.at(), by_threads.at());
  launch_components<p, conductive, Real>(arrays, source.at(), by_components.at(), 0, std::int64_t(blocks), nullptr);
  DGTD_CUDA_CHECK(cudaDeviceSynchronize());
  const auto expected = by_threads.values(), found = by_components.values();
  std::size_t changed = 0;
  const auto before = random_reals<Real>(reals, 5);
  for (std::size_t n = 0; n < reals; ++n) {
    ASSERT_EQ(found[n], expected[n]) << n;
    changed += found[n] != before[n];
  }
  EXPECT_GT(changed, reals * 9 / 10);
}

TEST(ComponentKernel, HasTheBitsOfAThreadPerElement) {
  const parallel::Communicator self{MPI_COMM_SELF};
  if (const auto device = parallel::take_cuda_device(self); !device.found)
    GTEST_SKIP() << "no CUDA device: " << device.why_not;
  expect_same_bits<1, false, double>();
  expect_same_bits<2, false, float>();
  expect_same_bits<2, true, double>();
  expect_same_bits<3, true, float>();
}

}  // namespace
}  // namespace dgtd::dg::test
