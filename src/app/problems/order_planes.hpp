#pragma once
// Planes of fluxes that are resolved into diffraction orders (flux.NAME.orders).
#include <array>
#include <functional>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/observers/flux_orders.hpp"

namespace dgtd::app {

/// How a domain repeats.
struct Periods {
  int axes = 3;                  // fields vary along the first of x, y, z
  std::array<bool, 3> has{};     // along x, y, z
  std::array<Vec3, 2> box{};     // m, around the domain
  std::array<double, 3> phase{};  // rad: u(x + L) = exp(i phase) u(x)
};

/// The only medium on a plane, or null where there are several.
using MediumOnPlane = std::function<const physics::Medium*(const physics::Flux&)>;

/// The planes of fluxes, at their places in the domain. Throws Error (bad_input) where a plane does not reach from side
/// to side between periodic sides, or is not in one lossless medium.
std::vector<observers::OrderPlane> order_planes(const std::vector<physics::Flux>& fluxes, const Periods& periods,
                                                const MediumOnPlane& medium_on);

}  // namespace dgtd::app
