#pragma once
// Records of the two ports of ports_problem() from two solvers of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/solver/port_records.hpp"

namespace dgtd::fdtd {

/// Sums over ranks have another order than on one rank, so the records are the same up to rounding. Collective: taking
/// them adds up those of all ranks.
template <class Solver>
void expect_the_same_port_records(Solver& alone, Solver& together, std::size_t steps) {
  for (const std::size_t port : {0, 1}) {
    const solver::PortRecord &a = alone.port_record(port), &b = together.port_record(port);
    ASSERT_EQ(b.current.size(), steps);
    double largest = 0;
    for (const double v : a.voltage) largest = std::max(largest, std::abs(v));
    EXPECT_GT(largest, 1e-4);
    for (std::size_t n = 0; n < steps; ++n) {
      EXPECT_NEAR(a.voltage[n], b.voltage[n], 1e-12 * largest) << n;
      EXPECT_NEAR(a.current[n], b.current[n], 1e-12 * largest) << n;
    }
  }
}

}  // namespace dgtd::fdtd
