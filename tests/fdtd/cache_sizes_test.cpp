// Sizes of caches from what Linux says of them.
#include "fdtd/steps/sweeps/cache_sizes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace dgtd::fdtd {
namespace {

constexpr double kilobyte = 1024;

class CacheFiles : public testing::Test {
 protected:
  CacheFiles() : directory_(std::filesystem::temp_directory_path() / ("dgtd_caches_" + std::to_string(getpid()))) {}
  ~CacheFiles() override { std::filesystem::remove_all(directory_); }
  void add(int index, int level, const char* type, const char* size, const char* processors) {
    const auto directory = directory_ / ("index" + std::to_string(index));
    std::filesystem::create_directories(directory);
    std::ofstream(directory / "level") << level << '\n';
    std::ofstream(directory / "type") << type << '\n';
    std::ofstream(directory / "size") << size << '\n';
    std::ofstream(directory / "shared_cpu_list") << processors << '\n';
  }
  void add_of_three_levels(const char* processors) {
    add(0, 1, "Data", "32K", "0");
    add(1, 1, "Instruction", "32K", "0");
    add(2, 2, "Unified", "512K", "0");
    add(3, 3, "Unified", "32768K", processors);
  }
  std::filesystem::path directory_;
};

TEST_F(CacheFiles, GiveEachThreadItsPart) {
  add_of_three_levels("0-3,8");
  for (const auto& [threads, sharing] : {std::pair{1, 1}, {2, 2}, {5, 5}, {64, 5}}) {
    const CacheSizes sizes = cache_sizes(threads, directory_);
    EXPECT_EQ(sizes.own, 512 * kilobyte);
    EXPECT_EQ(sizes.shared, 32768 * kilobyte / sharing) << threads << " threads";
  }
}
TEST_F(CacheFiles, KnowMegabytesAndOneProcessor) {
  add(0, 2, "Unified", "1M", "0");
  add(1, 3, "Unified", "8M", "0");
  EXPECT_EQ(cache_sizes(4, directory_).own, 1024 * kilobyte);
  EXPECT_EQ(cache_sizes(4, directory_).shared, 8192 * kilobyte);
}
TEST_F(CacheFiles, AreReplacedBySysconfWhereTheyLack) {
  const CacheSizes one = cache_sizes(1, directory_), two = cache_sizes(2, directory_);
  EXPECT_GE(one.own, 256 * kilobyte);
  EXPECT_EQ(one.shared, 2 * two.shared);
}

}  // namespace
}  // namespace dgtd::fdtd
