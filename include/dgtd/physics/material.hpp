#pragma once
// A material of a case: a medium with its name and what dosimetry and fits of tissues need.
#include <filesystem>
#include <optional>
#include <string>

#include "dgtd/base/origin.hpp"
#include "dgtd/physics/band.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::physics {

struct Material : Medium {
  std::string name;                // dgtd: physical group, or * for the groups not named elsewhere
  std::optional<double> density;   // kg/m^3; only materials with a density have a SAR
  std::optional<int> order;        // dgtd: polynomial degree of its elements, 1 to 6; else that of the solver
  std::string tissue;              // Gabriel 1996 tissue that the permittivity and conductivity are of, or empty
  std::string library;             // name of an optical_material; empty in a completed case, which has its medium
  std::filesystem::path table;     // of n and k, absolute; empty in a completed case, which has its medium
  std::optional<int> debye_poles;  // the tissue is fitted over fit_band with so many poles at most
  std::optional<Band> fit_band;    // with debye_poles always
  Origin origin;
  // False where physics::resolve_tissues has still to take the value from the tissue; with debye_poles both or none.
  bool permittivity_known = true, conductivity_known = true;

  bool operator==(const Material&) const = default;
};

}  // namespace dgtd::physics
