#include "dgtd/io/charts.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::io {

// Each group of neighbours keeps up to four points in their order. Comparisons with what is no number are false, so
// that a group has its gap only if that is its first or last point.
Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t points = std::min(curve.x.size(), curve.y.size());
  if (points <= most) return curve;
  const std::size_t groups = std::max<std::size_t>(1, most / 4);
  Curve thin{curve.name, {}, {}};
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t begin = g * points / groups, end = (g + 1) * points / groups;
    std::size_t lowest = begin, highest = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (curve.y[i] < curve.y[lowest] || !std::isfinite(curve.y[lowest])) lowest = i;
      if (curve.y[i] > curve.y[highest] || !std::isfinite(curve.y[highest])) highest = i;
    }
    std::vector<std::size_t> kept{begin, lowest, highest, end - 1};
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (const std::size_t i : kept) thin.x.push_back(curve.x[i]), thin.y.push_back(curve.y[i]);
  }
  return thin;
}

ChartAxis frequency_axis(const std::vector<double>& frequencies) {
  constexpr double longest = 10e-6;  // m, of optics
  const auto lowest = std::min_element(frequencies.begin(), frequencies.end());
  const bool optical = lowest != frequencies.end() && *lowest * longest > speed_of_light;
  return {"Frequency", "Hz", false, optical};
}

}  // namespace dgtd::io
