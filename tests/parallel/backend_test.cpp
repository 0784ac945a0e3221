// Array and the CPU's Backend.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstring>
#include <ctime>
#include <numeric>

#include "parallel/bounded_copy.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/cpu_backend.hpp"

namespace dgtd::parallel {
namespace {

/// Memory of a device, in fact the host's, that counts copies.
class CountingMemory final : public Memory {
 public:
  int uploads = 0, downloads = 0, arrays = 0;
  bool is_host() const override { return false; }
  void* allocate(std::size_t bytes) override {
    ++arrays;
    return host_memory().allocate(bytes);
  }
  void release(void* at) noexcept override {
    if (at != nullptr) --arrays;
    host_memory().release(at);
  }
  void download(void* host, const void* device, std::size_t bytes) override {
    ++downloads;
    std::memcpy(host, device, bytes);
  }
  void upload(void* device, const void* host, std::size_t bytes) override {
    ++uploads;
    std::memcpy(device, host, bytes);
  }
};

TEST(Array, IsZeroAtFirstAndOwnsItsMemory) {
  CountingMemory memory;
  {
    const Array<double> array(1000, memory);
    EXPECT_EQ(array.size(), 1000u);
    EXPECT_EQ(array.bytes(), 8000);
    for (std::size_t i = 0; i < array.size(); ++i) EXPECT_EQ(array.host()[i], 0);
    EXPECT_EQ(memory.arrays, 1);
    const Array<double> none(0, memory);
    EXPECT_EQ(memory.arrays, 1);
  }
  EXPECT_EQ(memory.arrays, 0);
}

TEST(Array, IsCopiedToTheHostOnAccessOnly) {
  CountingMemory memory;
  Array<int> array(std::vector<int>{1, 2, 3}, memory);
  EXPECT_EQ(memory.uploads, 1);
  EXPECT_EQ(memory.downloads, 0);
  EXPECT_EQ(array.host()[2], 3);
  EXPECT_EQ(array.host()[1], 2);
  EXPECT_EQ(memory.downloads, 1);
  array.write()[0] = 7;  // the host's copy is old
  EXPECT_EQ(array.host()[0], 7);
  EXPECT_EQ(memory.downloads, 2);
  EXPECT_EQ(array.part(1, 2), (std::vector<int>{2, 3}));
}

TEST(Array, IsUploadedAtTheNextReadAfterTheHostHasWritten) {
  CountingMemory memory;
  Array<int> array(3, memory);
  array.host_for_writing()[1] = 5;
  EXPECT_EQ(memory.uploads, 0);
  EXPECT_EQ(array.read()[1], 5);
  EXPECT_EQ(array.read()[0], 0);
  EXPECT_EQ(memory.uploads, 1);
  EXPECT_EQ(array.host()[1], 5);
}

// Work that a device replays writes through the pointers of its recording.
TEST(Array, IsCopiedAnewAfterAReplay) {
  CountingMemory memory;
  Array<int> array(std::vector<int>{1, 2, 3}, memory);
  int* const recorded = array.write();
  EXPECT_EQ(array.host()[0], 1);
  recorded[0] = 4;
  memory.note_replay();
  EXPECT_EQ(array.host()[0], 4);
  EXPECT_EQ(array.host()[1], 2);
  EXPECT_EQ(memory.downloads, 2);
  recorded[1] = 5;
  memory.note_replay();
  std::vector<int> buffer;
  EXPECT_EQ(array.piece(1, 1, buffer)[0], 5);
  EXPECT_EQ(memory.host_writes(), 0u);
  array.host_for_writing()[2] = 6;
  EXPECT_EQ(memory.host_writes(), 1u);
  EXPECT_EQ(array.read()[1], 5);
  EXPECT_EQ(array.read()[2], 6);
}

TEST(Array, InHostMemoryThereIsOneCopy) {
  Array<int> array(std::vector<int>{1, 2, 3}, host_memory());
  EXPECT_EQ(array.host(), array.read());
  EXPECT_EQ(array.host_for_writing(), array.write());
}

TEST(Array, AViewIsTheVectorItselfInHostMemoryAndACopyOnADevice) {
  const std::vector<float> values{1, 2};
  const auto on_host = Array<float>::view(values, host_memory());
  EXPECT_EQ(on_host.read(), values.data());
  EXPECT_EQ(on_host.size(), 2u);
  EXPECT_EQ(on_host.bytes(), 0);
  CountingMemory memory;
  const auto on_device = Array<float>::view(values, memory);
  EXPECT_NE(on_device.read(), values.data());
  EXPECT_EQ(on_device.part(0, 2), values);
  EXPECT_EQ(on_device.bytes(), 8);
}

TEST(Array, MovesWithItsHostCopy) {
  CountingMemory memory;
  Array<int> a(std::vector<int>{1}, memory), b(std::vector<int>{2}, memory);
  a.host_for_writing()[0] = 3;
  std::swap(a, b);
  EXPECT_EQ(a.read()[0], 2);
  EXPECT_EQ(b.read()[0], 3);
}

class CpuBackendTest : public testing::Test {
 protected:
  const Communicator self_{MPI_COMM_SELF};
  const CpuBackend backend_{self_};
};

struct Square {
  const int* from;
  int* to;
  void operator()(std::int64_t i) const { to[i] = from[i] * from[i]; }
};

TEST_F(CpuBackendTest, ForEachTakesEveryIndexOnce) {
  std::vector<int> from(1003), to(1003, -1);
  std::iota(from.begin(), from.end(), 0);
  backend_.for_each(Queue::main, 1000, Square{from.data(), to.data()});
  for (int i = 0; i < 1003; ++i) EXPECT_EQ(to[i], i < 1000 ? i * i : -1);
}

// The terms' sum rounds differently in another order.
TEST_F(CpuBackendTest, ASumHasOneOrderForAnyNumberOfThreads) {
  std::vector<double> terms;
  for (int i = 0; i < 10007; ++i) terms.push_back(1.0 / (1 + (i * 7919) % 10007));
  double expected = 0;
  for (const double t : terms) expected += t;
  const double backwards = std::accumulate(terms.rbegin(), terms.rend(), 0.0);
  ASSERT_NE(expected, backwards);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    double sum = 2;
    backend_.add_sum(
        Queue::main, std::int64_t(terms.size()), [&](std::int64_t i) { return terms[i]; }, 0.5, &sum);
    EXPECT_EQ(sum, 2 + 0.5 * expected);
  }
  omp_set_num_threads(before);
}

// Without time for more it fills an eighth of the arrays and copies it once: 2 and 1 passes of an eighth, in place of 2
// and 5 of all, hence 1/19 of the work.
TEST(CopyBandwidth, EndsWhereThereIsNoTime) {
  const auto cpu_seconds = [](double seconds, double& bandwidth) {
    const std::clock_t begin = std::clock();
    bandwidth = copy_bandwidth_within(1, seconds);
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  double whole = 0, bounded = 0;
  const double all = cpu_seconds(1e9, whole);
  EXPECT_LT(cpu_seconds(0, bounded), all / 4);
  EXPECT_GT(whole, 0);
  EXPECT_GT(bounded, whole / 10);  // the same loop, which meets caches more often
  EXPECT_LT(bounded, whole * 10);
}

}  // namespace
}  // namespace dgtd::parallel
