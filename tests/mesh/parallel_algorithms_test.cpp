// Sorting, searching and numbering by several threads, against one thread's plain loops.
#include <gtest/gtest.h>

#include <random>

#include "dgtd/parallel/hash_bytes.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

using parallel::hash_chunk, parallel::hash_chunks;

class WithThreads : public ::testing::TestWithParam<int> {
 protected:
  WithThreads() : before_(omp_get_max_threads()) { omp_set_num_threads(GetParam()); }
  ~WithThreads() override { omp_set_num_threads(before_); }
  int before_;
};
INSTANTIATE_TEST_SUITE_P(Threads, WithThreads, ::testing::Values(1, 2, 3, 5, 8));

TEST_P(WithThreads, Sort) {
  std::mt19937 random(7);
  for (const std::size_t size : {0, 1, 1000, 50'000, 100'003}) {
    std::vector<std::uint32_t> values(size);
    for (auto& v : values) v = static_cast<std::uint32_t>(random()) % 5000;  // many are equal
    std::vector<std::uint32_t> expected = values;
    std::sort(expected.begin(), expected.end());
    parallel_sort(values);
    EXPECT_EQ(values, expected) << size;
  }
}

TEST_P(WithThreads, Lowest) {
  EXPECT_EQ(lowest(100'000, [](std::int64_t i) { return i % 1000 == 777; }), 777);
  EXPECT_EQ(lowest(100'000, [](std::int64_t i) { return i > 99'998; }), 99'999);
  EXPECT_EQ(lowest(100'000, [](std::int64_t) { return false; }), 100'000);
  EXPECT_EQ(lowest(0, [](std::int64_t) { return true; }), 0);
}

TEST_P(WithThreads, NumbersFollowTheFirstUse) {
  std::mt19937 random(3);
  constexpr std::size_t slots = 3000;
  std::vector<std::uint32_t> list(20'000);
  for (auto& slot : list) slot = static_cast<std::uint32_t>(random()) % slots;
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t slot : list)
    if (std::find(expected.begin(), expected.end(), slot) == expected.end()) expected.push_back(slot);

  SparseTable number(slots);
  const auto order = number_by_first_use(
      static_cast<std::int64_t>(list.size()), [&](std::int64_t i) { return list[static_cast<std::size_t>(i)]; },
      number);
  EXPECT_EQ(order, expected);
  for (std::size_t n = 0; n < expected.size(); ++n) EXPECT_EQ(number[expected[n]], n);
}

TEST_P(WithThreads, HashOfChunksNoticesEveryBit) {
  std::vector<char> bytes(3 * hash_chunk + 17);
  std::mt19937 random(5);
  for (char& b : bytes) b = static_cast<char>(random());
  const std::uint64_t hash = hash_chunks(bytes.data(), bytes.size());
  EXPECT_EQ(hash, hash_chunks(bytes.data(), bytes.size()));
  for (const std::size_t at : {std::size_t{0}, hash_chunk - 1, hash_chunk, bytes.size() - 1}) {
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    EXPECT_NE(hash_chunks(bytes.data(), bytes.size()), hash) << at;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
  }
  EXPECT_NE(hash_chunks(bytes.data(), bytes.size() - 1), hash);
  std::swap_ranges(bytes.begin(), bytes.begin() + 64, bytes.begin() + 64);
  EXPECT_NE(hash_chunks(bytes.data(), bytes.size()), hash);
}

// Chunks that change places are noticed: their numbers are part of their hashes.
TEST(HashBytes, OrderOfChunks) {
  std::vector<char> bytes(2 * hash_chunk, 1);
  bytes[5] = 2;
  const std::uint64_t hash = hash_chunks(bytes.data(), bytes.size());
  std::swap(bytes[5], bytes[hash_chunk + 5]);
  EXPECT_NE(hash_chunks(bytes.data(), bytes.size()), hash);
}

}  // namespace
}  // namespace dgtd::mesh
