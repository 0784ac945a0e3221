#include "dgtd/solver/port_mode.hpp"

#include <cmath>

namespace dgtd::solver {

ModeWeights weights_of_mode(const SurfacePairs& pairs, double power,
                            const std::function<ModeFields(const Vec3& place, int axis)>& fields) {
  ModeWeights weights;
  for (std::size_t n = 0; n < pairs.area.size(); ++n) {
    const ModeFields mode = fields(pairs.position[n], pairs.electric_axis[n]);
    weights.voltage.push_back(mode.magnetic * std::abs(pairs.area[n]) / power);
    weights.current.push_back(mode.electric * pairs.area[n]);
  }
  return weights;
}

ModeWeights weights_of_mode(const SurfacePairs& pairs, double norm,
                            const std::function<double(const Vec3& place, int axis)>& electric) {
  return weights_of_mode(pairs, norm, [&](const Vec3& place, int axis) {
    const double e = electric(place, axis);
    return ModeFields{e, e};
  });
}

}  // namespace dgtd::solver
