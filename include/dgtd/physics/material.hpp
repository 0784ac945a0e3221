#pragma once
// What fills a part of space.
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/physics/band.hpp"
#include "dgtd/physics/dispersion.hpp"

namespace dgtd::physics {

struct Material {
  std::string name;                // dgtd: physical group, or * for the groups not named elsewhere
  double eps_r = 1, mu_r = 1;      // with poles, eps_r is that of infinite frequency
  double sigma = 0;                // S/m
  double sigma_m = 0;              // fdtd3d: magnetic loss, ohm/m
  std::vector<Pole> poles;         // fdtd3d: added to eps_r
  bool perfect_conductor = false;  // fdtd3d: E is zero inside; nothing else counts
  std::optional<double> density;   // kg/m^3; only materials with a density have a SAR
  std::string tissue;              // Gabriel 1996 tissue that eps_r and sigma were taken from, or empty
  std::optional<int> debye_poles;  // fdtd3d: the tissue is fitted over fit_band with so many poles at most
  std::optional<Band> fit_band;    // with debye_poles always
  Origin origin;
  // False where physics::resolve_tissues has still to take the value from the tissue; with debye_poles both or none.
  bool eps_r_known = true, sigma_known = true;

  bool operator==(const Material&) const = default;
};

}  // namespace dgtd::physics
