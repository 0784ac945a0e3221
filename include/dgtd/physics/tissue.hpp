#pragma once
// Dielectric properties of body tissues: the four-term Cole-Cole model of S. Gabriel, R. W. Lau,
// C. Gabriel, "The dielectric properties of biological tissues: III", Phys. Med. Biol. 41 (1996)
// 2271-2293, with the parameters as tabulated by IFAC.
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/config/case.hpp"

namespace dgtd::physics {

struct TissueProperties {
  double eps_r, sigma;                                      // 1, S/m
};

/// The tissue's values at one frequency (Hz): eps_r - j sigma / (omega eps0) is the complex
/// permittivity. Case, blanks and punctuation of the name do not matter: "Skin (Dry)" is also
/// "skin-dry". Throws Error for an unknown name, with the nearest one.
TissueProperties tissue_properties(std::string_view name, double frequency);

/// As the table spells them.
std::vector<std::string> tissue_names();

/// Fills eps_r and sigma of the materials with a tissue at time.frequency, but for what the case
/// gives explicitly.
void resolve_tissues(config::Case& c);

}  // namespace dgtd::physics
