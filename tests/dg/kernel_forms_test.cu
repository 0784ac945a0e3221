// Half steps by a warp per component, and those of curved elements in two passes, have the bits of those by a thread
// per element in one pass, at orders that take the latter, so that all builds have these tests. (Two programs'
// instances of one kernel would share the static variables of its launch.) Label gpu, skipped where no device answers.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "component_kernel.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "two_pass_kernel.hpp"

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

/// Elements of random data, with neighbours by all pairs of faces in other blocks.
template <int p, class Real>
class Elements {
 public:
  Elements() {
    const parallel::Communicator self{MPI_COMM_SELF};
    const Discretisation<Real> d(mesh::make_box({5, 4, 3}, {1, 1, 1}, self), {{}},
                                 std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), 1, false,
                                 int(block_lanes));
    blocks = d.neighbour.size() / (4 * block_lanes);
    reals = blocks * BlockLayout<p>::block_reals;
    add(neighbour_, d.neighbour), add(metric_, random_reals<Real>(blocks * 6 * block_lanes, 1));
    add(Ca_, random_reals<Real>(blocks * block_lanes, 2)), add(Cb_, random_reals<Real>(blocks * block_lanes, 3));
    add(source_, random_reals<Real>(reals, 4));
    arrays.neighbour = neighbour_->at(), arrays.metric = metric_->at(), arrays.Ca = Ca_->at(), arrays.Cb = Cb_->at();
    if constexpr (p > highest_curved_order) return;
    add(curved_metric_, random_reals<Real>(blocks * curved_terms(p) * 6 * block_lanes, 6));
    add(tables_, random_reals<Real>(curved_points(p) * (curved_row(p) + Bernstein<p>::nodes), 7));
    std::vector<std::int32_t> place(blocks);
    for (std::size_t b = 0; b < blocks; ++b) place[b] = std::int32_t(blocks - 1 - b);
    add(place_, place);
    arrays.curved = {curved_metric_->at(), place_->at(), tables_->at()};
  }
  const Real* source() const { return source_->at(); }
  /// Fields after launch(target), from the same ones each time.
  template <class Launch>
  std::vector<Real> after(const Launch& launch) const {
    const OnDevice<Real> target(before());
    launch(target.at());
    DGTD_CUDA_CHECK(cudaDeviceSynchronize());
    return target.values();
  }
  std::vector<Real> before() const { return random_reals<Real>(reals, 5); }

  std::size_t blocks = 0, reals = 0;
  ElementArrays<Real> arrays{};

 private:
  template <class T>
  static void add(std::unique_ptr<OnDevice<T>>& array, const std::vector<T>& values) {
    array = std::make_unique<OnDevice<T>>(values);
  }
  std::unique_ptr<OnDevice<std::uint32_t>> neighbour_;
  std::unique_ptr<OnDevice<std::int32_t>> place_;
  std::unique_ptr<OnDevice<Real>> metric_, Ca_, Cb_, source_, curved_metric_, tables_;
};

template <class Real>
void expect_same_bits(const std::vector<Real>& found, const std::vector<Real>& expected,
                      const std::vector<Real>& before) {
  std::size_t changed = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    ASSERT_EQ(found[n], expected[n]) << n;
    changed += found[n] != before[n];
  }
  EXPECT_GT(changed, found.size() * 9 / 10);
}

template <int p, KernelTraits traits, class Real, class Launch>
void compare(const Launch& launch) {
  const Elements<p, Real> elements;
  constexpr int number = traits.number();
  const auto expected = elements.after([&](Real* target) {
    thread_per_element<p, number, Real>
        <<<unsigned(elements.blocks), block_lanes>>>(elements.arrays, elements.source(), target);
  });
  const auto found = elements.after([&](Real* target) {
    launch(elements.arrays, elements.source(), target, 0, std::int64_t(elements.blocks), nullptr);
  });
  expect_same_bits(found, expected, elements.before());
}

template <int p, bool conductive, class Real>
void compare_components() {
  constexpr KernelTraits traits{conductive ? MediumKind::conductive : MediumKind::lossless};
  compare<p, traits, Real>(launch_components<p, conductive, Real>);
}

template <int p, MediumKind medium, class Real>
void compare_two_passes() {
  constexpr KernelTraits traits{medium, false, true};
  compare<p, traits, Real>(launch_two_passes<p, traits, Real>);
}

bool has_device() { return parallel::take_cuda_device(parallel::Communicator{MPI_COMM_SELF}).found; }

TEST(ComponentKernel, HasTheBitsOfAThreadPerElement) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  compare_components<1, false, double>();
  compare_components<2, false, float>();
  compare_components<2, true, double>();
  compare_components<3, true, float>();
}

TEST(TwoPassKernel, HasTheBitsOfOnePass) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  compare_two_passes<1, MediumKind::lossless, double>();
  compare_two_passes<1, MediumKind::conductive, float>();
  compare_two_passes<2, MediumKind::conductive, float>();
  compare_two_passes<2, MediumKind::lossless, double>();
}

}  // namespace
}  // namespace dgtd::dg::test
