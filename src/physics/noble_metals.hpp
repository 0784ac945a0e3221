#pragma once
// Copper, silver and gold as measured by P. B. Johnson, R. W. Christy, Phys. Rev. B 6 (1972) 4370.
#include <string_view>
#include <vector>

#include "dgtd/physics/optical_table.hpp"

namespace dgtd::physics {

struct NobleMetal {
  std::string_view name;             // "Ag Johnson"
  std::vector<OpticalPoint> points;  // by rising frequency
};

/// The three metals at the 49 photon energies of the publication, 0.64 to 6.60 eV.
std::vector<NobleMetal> noble_metals();

}  // namespace dgtd::physics
