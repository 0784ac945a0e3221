#include "dgtd/physics/optical_material.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "noble_metals.hpp"

namespace dgtd::physics {
namespace {

// Angular frequency of a photon of 1 eV, rad/s: e over the reduced Planck constant (SI 2019).
constexpr double electronvolt = 1.602176634e-19 / 1.054571817e-34;
constexpr double micrometre = 1e-6;

// Wavelength of a photon in vacuum, m.
double wavelength(double electronvolts) { return 2 * pi * speed_of_light / (electronvolts * electronvolt); }

// Lorentz-Drude model of a metal: strengths f and, in eV, resonances and dampings; the first is the Drude term.
struct Oscillator {
  double strength, resonance, damping;
};
struct Metal {
  std::string_view name;
  double lowest, highest;  // photon energies of the measurements that were fitted, eV
  double plasma;           // eV
  std::vector<Oscillator> oscillators;
};

// Tables 1 and 2 of the paper.
constexpr std::string_view rakic =
    "A. D. Rakic, A. B. Djurisic, J. M. Elazar, M. L. Majewski, Appl. Opt. 37 (1998) 5271 (Lorentz-Drude model)";
constexpr std::string_view johnson =
    "P. B. Johnson, R. W. Christy, Phys. Rev. B 6 (1972) 4370 (measured; poles are fitted over the band of the case)";
const std::vector<Metal>& metals() {
  static const std::vector<Metal> table = {
      {"Ag Rakic",
       0.1,
       5,
       9.01,
       {{0.845, 0, 0.048},
        {0.065, 0.816, 3.886},
        {0.124, 4.481, 0.452},
        {0.011, 8.185, 0.065},
        {0.840, 9.083, 0.916},
        {5.646, 20.29, 2.419}}},
      {"Al Rakic",
       0.005,
       20,
       14.98,
       {{0.523, 0, 0.047}, {0.227, 0.162, 0.333}, {0.050, 1.544, 0.312}, {0.166, 1.808, 1.351}, {0.030, 3.473, 3.382}}},
      {"Au Rakic",
       0.2,
       5,
       9.03,
       {{0.760, 0, 0.053},
        {0.024, 0.415, 0.241},
        {0.010, 0.830, 0.345},
        {0.071, 2.969, 0.870},
        {0.601, 4.304, 2.494},
        {4.384, 13.32, 2.214}}},
      {"Be Rakic",
       0.02,
       5,
       18.51,
       {{0.084, 0, 0.035}, {0.031, 0.100, 1.664}, {0.140, 1.032, 3.395}, {0.530, 3.183, 4.454}, {0.130, 4.604, 1.802}}},
      {"Cr Rakic",
       0.02,
       5,
       10.75,
       {{0.168, 0, 0.047}, {0.151, 0.121, 3.175}, {0.150, 0.543, 1.305}, {1.149, 1.970, 2.676}, {0.825, 8.775, 1.335}}},
      {"Cu Rakic",
       0.1,
       6,
       10.83,
       {{0.575, 0, 0.030}, {0.061, 0.291, 0.378}, {0.104, 2.957, 1.056}, {0.723, 5.300, 3.213}, {0.638, 11.18, 4.305}}},
      {"Ni Rakic",
       0.2,
       5,
       15.92,
       {{0.096, 0, 0.048}, {0.100, 0.174, 4.511}, {0.135, 0.582, 1.334}, {0.106, 1.597, 2.178}, {0.729, 6.089, 6.292}}},
      {"Pd Rakic",
       0.1,
       5,
       9.72,
       {{0.330, 0, 0.008}, {0.649, 0.336, 2.950}, {0.121, 0.501, 0.555}, {0.638, 1.659, 4.621}, {0.453, 5.715, 3.236}}},
      {"Pt Rakic",
       0.1,
       5,
       9.59,
       {{0.333, 0, 0.080}, {0.191, 0.780, 0.517}, {0.659, 1.314, 1.838}, {0.547, 3.141, 3.668}, {3.576, 9.249, 8.517}}},
      {"Ti Rakic",
       0.04,
       5,
       7.29,
       {{0.148, 0, 0.082}, {0.899, 0.777, 2.276}, {0.393, 1.545, 2.518}, {0.187, 2.509, 1.663}, {0.001, 19.43, 1.762}}},
      {"W Rakic",
       0.1,
       5,
       13.22,
       {{0.206, 0, 0.064}, {0.054, 1.004, 0.530}, {0.166, 1.917, 1.281}, {0.706, 3.580, 3.332}, {2.590, 7.498, 5.836}}},
  };
  return table;
}

// n^2 = offset + sum of B L^2 / (L^2 - C), with the wavelength L and sqrt(C) in micrometres.
struct SellmeierTerm {
  double b, c;  // 1, um^2
};
struct Dielectric {
  std::string_view name, source;
  double shortest, longest;  // um
  double offset;
  std::vector<SellmeierTerm> terms;
};
constexpr double squared(double x) { return x * x; }

const std::vector<Dielectric>& dielectrics() {
  static const std::vector<Dielectric> table = {
      {"Al2O3 Malitson",
       "I. H. Malitson, M. J. Dodge, J. Opt. Soc. Am. 62 (1972) 1405; M. J. Dodge, Handbook of Laser "
       "Science and Technology IV (1986) 30 (sapphire, ordinary ray)",
       0.2,
       5,
       1,
       {{1.4313493, squared(0.0726631)}, {0.65054713, squared(0.1193242)}, {5.3414021, squared(18.028251)}}},
      {"AlAs Fern",
       "R. E. Fern, A. Onton, J. Appl. Phys. 42 (1971) 3499",
       0.56,
       2.2,
       2.0792,
       {{6.0840, squared(0.2822)}, {1.900, squared(27.62)}}},
      {"BK7 Schott",
       "SCHOTT AG, optical glass data sheets, N-BK7",
       0.3,
       2.5,
       1,
       {{1.03961212, 0.00600069867}, {0.231792344, 0.0200179144}, {1.01046945, 103.560653}}},
      {"CaF2 Malitson",
       "I. H. Malitson, Appl. Opt. 2 (1963) 1103",
       0.23,
       9.7,
       1,
       {{0.5675888, squared(0.050263605)}, {0.4710914, squared(0.1003909)}, {3.8484723, squared(34.649040)}}},
      {"GaAs Skauli",
       "T. Skauli et al., J. Appl. Phys. 94 (2003) 6447",
       0.97,
       17,
       5.372514,
       {{5.466742, squared(0.4431307)}, {0.02429960, squared(0.8746453)}, {1.957522, squared(36.9166)}}},
      {"Ge Barnes",
       "N. P. Barnes, M. S. Piltch, J. Opt. Soc. Am. 69 (1979) 178, after H. W. Icenogle et al., Appl. Opt. "
       "15 (1976) 2348 (293 K)",
       2.5,
       12,
       9.28156,
       {{6.72880, 0.44105}, {0.21307, 3870.1}}},
      {"Si Salzberg",
       "C. D. Salzberg, J. J. Villa, J. Opt. Soc. Am. 47 (1957) 244",
       1.36,
       11,
       1,
       {{10.6684293, squared(0.301516485)}, {0.0030434748, squared(1.13475115)}, {1.54133408, squared(1104)}}},
      {"Si3N4 Luke",
       "K. Luke et al., Opt. Lett. 40 (2015) 4823",
       0.31,
       5.504,
       1,
       {{3.0249, squared(0.1353406)}, {40314, squared(1239.842)}}},
      {"Si3N4 Philipp",
       "H. R. Philipp, J. Electrochem. Soc. 120 (1973) 295",
       0.207,
       1.24,
       1,
       {{2.8939, squared(0.13967)}}},
      {"SiO2 Malitson",
       "I. H. Malitson, J. Opt. Soc. Am. 55 (1965) 1205",
       0.21,
       6.7,
       1,
       {{0.6961663, squared(0.0684043)}, {0.4079426, squared(0.1162414)}, {0.8974794, squared(9.896161)}}},
      // n^2 = 5.913 + 0.2441 / (L^2 - 0.0803)
      {"TiO2 Devore",
       "J. R. Devore, J. Opt. Soc. Am. 41 (1951) 416 (rutile, ordinary ray)",
       0.43,
       1.53,
       5.913 - 0.2441 / 0.0803,
       {{0.2441 / 0.0803, 0.0803}}},
  };
  return table;
}

Medium medium_of(const Metal& metal) {
  Medium medium;
  for (const auto& [strength, resonance, damping] : metal.oscillators)
    medium.poles.push_back({resonance == 0 ? Pole::Type::drude : Pole::Type::lorentz,
                            std::sqrt(strength) * metal.plasma * electronvolt, resonance * electronvolt,
                            damping * electronvolt});
  return medium;
}

// A term is a Lorentz pole of the resonance w0 = 2 pi c / sqrt(C) and w_p^2 = B w0^2. Its damping, which a pole must
// have and the publications do not, changes the permittivity by less than rounding in single precision.
Medium medium_of(const Dielectric& dielectric) {
  constexpr double damping = 1e-9;  // of the resonance
  Medium medium{.permittivity = dielectric.offset};
  for (const auto& [b, c] : dielectric.terms) {
    const double resonance = 2 * pi * speed_of_light / (std::sqrt(c) * micrometre);
    medium.poles.push_back({Pole::Type::lorentz, std::sqrt(b) * resonance, resonance, damping * resonance});
  }
  return medium;
}

}  // namespace

const std::vector<OpticalMaterial>& optical_materials() {
  static const std::vector<OpticalMaterial> all = [] {
    std::vector<OpticalMaterial> list;
    for (const Metal& metal : metals())
      list.push_back({metal.name, rakic, wavelength(metal.highest), wavelength(metal.lowest), medium_of(metal)});
    for (NobleMetal& metal : noble_metals())
      list.push_back({metal.name,
                      johnson,
                      speed_of_light / metal.points.back().frequency,
                      speed_of_light / metal.points.front().frequency,
                      {},
                      std::move(metal.points)});
    for (const Dielectric& d : dielectrics())
      list.push_back({d.name, d.source, d.shortest * micrometre, d.longest * micrometre, medium_of(d)});
    return list;
  }();
  return all;
}

const OpticalMaterial& optical_material(std::string_view name) {
  std::vector<std::string> names;
  for (const OpticalMaterial& material : optical_materials()) {
    if (material.name == name) return material;
    names.emplace_back(material.name);
  }
  const std::string begin = fmt::format("unknown material '{}'; ", name);
  // "Ag" and "Ag Palik" are the silver that there is.
  const std::string_view first = name.substr(0, name.find(' '));
  for (const std::string& known : names)
    if (!first.empty() && known.substr(0, known.find(' ')) == first)
      throw Error(fmt::format("{}did you mean {}?", begin, known));
  if (const auto nearest = nearest_name(name, names)) throw Error(fmt::format("{}did you mean {}?", begin, *nearest));
  throw Error(fmt::format("{}the materials are {}", begin, fmt::join(names, ", ")));
}

}  // namespace dgtd::physics
