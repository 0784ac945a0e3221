// The conserved energy over many steps in double precision: only rounding may move it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "study.hpp"
#include "support/built_orders.hpp"

namespace dgtd::verification {
namespace {

class EnergyDrift : public testing::TestWithParam<int> {};

TEST_P(EnergyDrift, IsRoundingOnlyOverTwentyThousandSteps) {
  const int order = GetParam();
  const Problem problem = metallic_cube(2);
  auto solver = make_solver<double>(problem, order, 0.9 * largest_time_step<double>(problem, order));
  set_rough_fields(*solver);
  const double first = solver->energy();
  ASSERT_GT(first, 0);
  double largest = 0;
  constexpr int steps = 20000, interval = 100;
  for (int i = 1; i <= steps; ++i) {
    const bool measure = i % interval == 0;
    solver->advance(1);
    if (measure) largest = std::max(largest, std::abs(solver->energy() - first) / first);
  }
  fmt::print("P{}: energy {:.6e} J, largest relative drift {:.1e}, at the end {:.1e}\n", order, first, largest,
             (solver->energy() - first) / first);
  EXPECT_LT(largest, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Degree, EnergyDrift, testing::ValuesIn(dg::built_orders({1, 2, 3, 4})),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::verification
