#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/solver/spectral_solver.hpp"

namespace dgtd::solver {

std::vector<Direction> directions_of(int thetas, int phis) {
  std::vector<Direction> list;
  for (int t = 0; t < thetas; ++t)
    for (int p = 0; p < phis; ++p) list.push_back({pi * t / (thetas - 1), 2 * pi * p / phis});
  return list;
}

std::vector<double> solid_angles(int thetas, int phis) {
  std::vector<double> list;
  const double step = pi / (thetas - 1);
  for (int t = 0; t < thetas; ++t)
    for (int p = 0; p < phis; ++p)
      list.push_back((std::cos(std::max(0.0, (t - 0.5) * step)) - std::cos(std::min(pi, (t + 0.5) * step))) * 2 * pi /
                     phis);
  return list;
}

}  // namespace dgtd::solver
