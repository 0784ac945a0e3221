#pragma once
// Dielectric properties of body tissues: the four-term Cole-Cole model of S. Gabriel, R. W. Lau,
// C. Gabriel, "The dielectric properties of biological tissues: III", Phys. Med. Biol. 41 (1996)
// 2271-2293, with the parameters as tabulated by IFAC.
#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/physics/material.hpp"

namespace dgtd::physics {

struct TissueProperties {
  double eps_r, sigma;  // 1, S/m
};

/// The tissue's values at one frequency (Hz): eps_r - j sigma / (omega eps0) is the complex
/// permittivity. Case, blanks and punctuation of the name do not matter: "Skin (Dry)" is also
/// "skin-dry". Throws Error for an unknown name, with the nearest one.
TissueProperties tissue_properties(std::string_view name, double frequency);

/// The complex relative permittivity at a frequency (Hz), for the time factor exp(-i omega t).
std::complex<double> tissue_permittivity(std::string_view name, double frequency);

/// As the table spells them.
std::vector<std::string> tissue_names();

/// A tissue as Debye poles (debye_fit.hpp).
struct TissueFit {
  std::string material, tissue;
  physics::Band band;
  int poles;
  double worst_error;  // of the complex permittivity, relative, over the band

  bool operator==(const TissueFit&) const = default;
};

/// Fills eps_r and sigma of the materials with a tissue at the frequency (Hz), and with debye_poles eps_r, sigma and
/// poles over their band, but for what the case gives explicitly. Returns how good the fits are.
std::vector<TissueFit> resolve_tissues(std::vector<Material>& materials, std::optional<double> frequency);

}  // namespace dgtd::physics
