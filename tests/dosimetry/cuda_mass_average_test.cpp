// Mass averaging on a CUDA device has the bits of that on CPU threads.
#include <gtest/gtest.h>

#include "dgtd/dosimetry/mass_average.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "random_body.hpp"

namespace dgtd::dosimetry {
namespace {

class CudaMassAverage : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  static void compare(const VoxelGrid& grid, const std::vector<double>& masses) {
    const auto by_threads = average_sar(grid, masses, Processor::cpu),
               by_device = average_sar(grid, masses, Processor::cuda);
    ASSERT_EQ(by_threads.size(), by_device.size());
    for (std::size_t m = 0; m < masses.size(); ++m) {
      const AveragedSar &a = by_threads[m], &b = by_device[m];
      EXPECT_TRUE(a.status == b.status) << masses[m];
      EXPECT_TRUE(a.sar == b.sar) << masses[m];
      EXPECT_TRUE(a.orientation == b.orientation) << masses[m];
      EXPECT_TRUE(a.side == b.side) << masses[m];
    }
  }
  parallel::Communicator comm_;
};

TEST_F(CudaMassAverage, EqualVoxels) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    compare(random_body(seed,
                        {std::vector<double>(70, 2e-3), std::vector<double>(60, 2e-3), std::vector<double>(65, 2e-3)}),
            {0.2e-3, 1e-3, 10e-3, 5});
}

TEST_F(CudaMassAverage, VoxelsOfManyWidths) {
  std::array<std::vector<double>, 3> widths;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> width(0.5e-3, 3e-3);
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 50 + 7 * a; ++i) widths[a].push_back(width(random));
  compare(random_body(5, widths), {0.1e-3, 3e-3});
}

TEST_F(CudaMassAverage, NothingButBackground) {
  compare(grid_of({std::vector<double>(5, 1e-3), std::vector<double>(4, 1e-3), std::vector<double>(3, 1e-3)}), {1e-3});
}

}  // namespace
}  // namespace dgtd::dosimetry
