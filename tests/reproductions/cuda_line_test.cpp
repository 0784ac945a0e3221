// Cut lines on a device against the CPU: the same bodies without contraction, so the same bits where a subdomain is one
// tile.
#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "reproductions/line_problem.hpp"

namespace dgtd::reproductions {
namespace {

class CudaLine : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  template <class Real>
  void compare(const LineCase& c) {
    const auto problem = c.make<Real>();
    const auto cpu = solve_line(problem), gpu = solve_line_on_cuda(problem);
    for (std::size_t t = 0; t < cpu.probes.size(); ++t) EXPECT_EQ(difference(cpu.probes[t], gpu.probes[t]), 0);
    EXPECT_EQ(cpu.electric, gpu.electric);
    EXPECT_EQ(cpu.magnetic, gpu.magnetic);
    EXPECT_EQ(cpu.solutions, gpu.solutions);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_F(CudaLine, PiecesOfOneTileHaveTheSameBits) {
  for (const int subdomains : {1, 3, 7})
    for (const bool continuous : {false, true}) {
      LineCase c;
      c.add_slab(330, 430, 4, 0.02);
      c.chunk = 80;
      c.steps = 2650;
      c.subdomains = subdomains;
      c.reflections = subdomains > 1 ? 2 : 0;
      c.tolerance = 1e-5;
      if (continuous) c.make_continuous();
      compare<float>(c);
      compare<double>(c);
    }
}

TEST_F(CudaLine, PiecesOfSeveralTilesHaveTheSameBits) {
  for (const int subdomains : {1, 2}) {
    LineCase c;
    c.set_cells(12000);
    c.add_slab(600, 1100, 4);
    c.probes = {100, 1300, 2420};
    c.chunk = 160;
    c.steps = 6000;
    c.subdomains = subdomains;
    c.reflections = subdomains - 1;
    compare<float>(c);
    compare<double>(c);
  }
}

TEST_F(CudaLine, WindowsAndLongWaits) {
  LineCase c;
  c.make_continuous();
  c.chunk = 80;
  c.steps = 400 * 80;
  c.subdomains = 8;
  c.window = 50;
  c.tolerance = 1e-5;
  compare<float>(c);
  const auto problem = c.make<float>();
  const auto first = solve_line_on_cuda(problem), second = solve_line_on_cuda(problem);
  EXPECT_EQ(first.electric, second.electric);
}

// More subdomains than blocks run at once.
TEST_F(CudaLine, TooManyPiecesAreRefused) {
  LineCase c;
  c.set_cells(20000);
  c.subdomains = 1500;
  c.steps = 10;
  const auto problem = c.make<float>();
  try {
    solve_line_on_cuda(problem);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("solver.subdomains = 1500: the device runs"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace dgtd::reproductions
