#pragma once
// Materials of optics from publications: metals and dielectrics as sums of poles, or as measured tables.
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/physics/medium.hpp"
#include "dgtd/physics/optical_table.hpp"

namespace dgtd::physics {

struct OpticalMaterial {
  std::string_view name;                 // "Ag Rakic": the material and the first author
  std::string_view source;               // publication
  double shortest, longest;              // wavelengths in vacuum for which it was published, m
  Medium medium;                         // permittivity and poles; vacuum where there is a table
  std::vector<OpticalPoint> table = {};  // measured, by rising frequency; a case fits poles to it over its band
};

/// All of them: metals, then dielectrics, each by name.
const std::vector<OpticalMaterial>& optical_materials();

/// Throws Error for a name that does not exist, with the nearest one: "unknown material 'Ag'; did you mean ...".
const OpticalMaterial& optical_material(std::string_view name);

}  // namespace dgtd::physics
