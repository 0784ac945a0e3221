#pragma once
// Dielectric properties of body tissues: the four-term Cole-Cole model of S. Gabriel, R. W. Lau,
// C. Gabriel, "The dielectric properties of biological tissues: III", Phys. Med. Biol. 41 (1996)
// 2271-2293, with the parameters as tabulated by IFAC. Densities: P. A. Hasgall et al., "IT'IS Database for thermal and
// electromagnetic parameters of biological tissues", version 4.1 (2022), DOI 10.13099/VIP21000-04-1.
#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/physics/material.hpp"

namespace dgtd::physics {

struct TissueProperties {
  double permittivity, conductivity;  // relative, S/m
};

/// The tissue's values at one frequency (Hz): permittivity - j conductivity / (omega eps0) is the complex
/// permittivity. Case, blanks and punctuation of the name do not matter: "Skin (Dry)" is also
/// "skin-dry". Throws Error for an unknown name, with the nearest one.
TissueProperties tissue_properties(std::string_view name, double frequency);

/// The complex relative permittivity at a frequency (Hz), for the time factor exp(-i omega t).
std::complex<double> tissue_permittivity(std::string_view name, double frequency);

/// Mass density, kg/m^3. Throws as tissue_properties.
double tissue_density(std::string_view name);

/// The name under which the tissue's parameters are published. Throws as tissue_properties.
std::string_view tissue_model(std::string_view name);

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

/// Fills permittivity and conductivity of the materials with a tissue at the frequency (Hz), and with debye_poles these
/// and poles over their band, and the density, but for what the case gives explicitly. Returns how good the fits are.
std::vector<TissueFit> resolve_tissues(std::vector<Material>& materials, std::optional<double> frequency);

inline constexpr std::string_view dielectric_source = "Gabriel 1996";
inline constexpr std::string_view density_source = "IT'IS 4.1";

/// Source of a resolved material's values: the tissue library, where they equal its values at the frequency (Hz),
/// or the case file. density is empty for a material without one.
struct PropertySources {
  std::string dielectric, density;
};
PropertySources property_sources(const Material& material, std::optional<double> frequency);

}  // namespace dgtd::physics
