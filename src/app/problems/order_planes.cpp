#include "app/problems/order_planes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::app {

std::vector<observers::OrderPlane> order_planes(const std::vector<physics::Flux>& fluxes, const Periods& periods,
                                                const MediumOnPlane& medium_on) {
  constexpr double rounding = 1e-6;  // of a period
  std::vector<observers::OrderPlane> planes;
  for (const physics::Flux& flux : fluxes) {
    if (!flux.orders) continue;
    const auto refuse = [&](const std::string& why) {
      throw Error(fmt::format("{}: flux.{}: orders = on: {}", flux.origin, flux.name, why));
    };
    observers::OrderPlane plane{flux.name, flux.size.x == 0 ? 0 : flux.size.y == 0 ? 1 : 2, {}, 1};
    for (int a = 0; a < periods.axes; ++a) {
      if (a == plane.normal) continue;
      const auto axis = static_cast<std::size_t>(a);
      const char name = "xyz"[axis];
      if (!periods.has[axis])
        refuse(fmt::format("{0}min and {0}max must be of type periodic or bloch; orders are those of a structure that "
                           "repeats along the axes of the plane",
                           name));
      const double low = periods.box[0][a], high = periods.box[1][a], length = high - low;
      if (flux.centre[a] - 0.5 * flux.size[a] > low + rounding * length ||
          flux.centre[a] + 0.5 * flux.size[a] < high - rounding * length)
        refuse(fmt::format("the plane must reach from side to side, along {} from {:.6g} to {:.6g} m", name, low, high));
      plane.lattice.period[axis] = length;
      plane.lattice.phase[axis] = periods.phase[axis];
    }
    const physics::Medium* const medium = medium_on(flux);
    if (medium == nullptr || !medium->is_lossless())
      refuse(fmt::format("the plane must be in one lossless material{}", medium == nullptr ? ", not in several" : ""));
    plane.index = std::sqrt(medium->permittivity * medium->permeability);
    planes.push_back(std::move(plane));
  }
  return planes;
}

}  // namespace dgtd::app
