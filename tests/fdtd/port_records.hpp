#pragma once
// Records and states of ports from two solvers of a problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dgtd/solver/persistent.hpp"
#include "dgtd/solver/port_records.hpp"

namespace dgtd::fdtd {

/// Works and states of the circuits of all ports' edges on this rank.
template <class Solver>
std::vector<double> port_states(Solver& solver) {
  std::vector<double> values;
  for (const solver::PersistentArray& array : solver.persistent_arrays()) {
    if (array.name.find(" port ") == std::string::npos) continue;
    const auto* const from = static_cast<const double*>(array.read());
    for (const solver::ItemRun& run : array.items->runs)
      values.insert(values.end(), from + run.place, from + run.place + run.count);
  }
  return values;
}

/// To the bit; on one rank.
template <class Solver>
void expect_equal_ports(Solver& a, Solver& b, std::size_t ports) {
  EXPECT_EQ(port_states(a), port_states(b));
  for (std::size_t port = 0; port < ports; ++port) {
    const solver::PortRecord &u = a.port_record(port), &v = b.port_record(port);
    EXPECT_EQ(u.voltage, v.voltage) << port;
    EXPECT_EQ(u.current, v.current) << port;
    EXPECT_EQ(u.power, v.power) << port;
  }
}

/// Records of the first two ports. Sums over ranks have another order than on one rank, so the records are the
/// same up to rounding. Collective: taking them adds up those of all ranks.
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
