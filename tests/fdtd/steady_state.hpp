#pragma once
// Phasors of a run that has become steady.
#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {

/// The steps that come nearest to a whole number of periods, of 10 to 20.
inline int whole_periods(double steps_per_period) {
  int best = 0;
  double least = 1;
  for (int m = 10; m <= 20; ++m) {
    const double steps = m * steps_per_period, off = std::abs(steps - std::round(steps)) / steps;
    if (off >= least) continue;
    least = off;
    best = static_cast<int>(std::round(steps));
  }
  return best;
}

/// Phasors of an E component at cells, with exp(-i w t), over whole periods after the first `start` steps.
inline std::vector<std::complex<double>> steady_phasors(FdtdSolver<double>& solver, int component,
                                                        const std::vector<std::array<int, 3>>& cells, double frequency,
                                                        int start) {
  const auto& d = solver.discretisation();
  const double dt = solver.time_step();
  const int last = whole_periods(1 / (frequency * dt));
  std::vector<std::complex<double>> sums(cells.size());
  for (int n = 0; n < start + last; ++n) {
    solver.advance(1);
    if (n < start) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto at =
          static_cast<std::size_t>(component * d.layout.reals + d.layout.index(cells[i][0], cells[i][1], cells[i][2]));
      sums[i] +=
          2.0 / last * solver.engine().electric().part(at, 1)[0] * std::polar(1.0, 2 * pi * frequency * (n + 1) * dt);
    }
  }
  return sums;
}

}  // namespace dgtd::fdtd
