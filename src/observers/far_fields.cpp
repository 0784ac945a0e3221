#include "dgtd/observers/far_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pattern_body.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

FarFields::FarFields(physics::FarField far, FarSurroundings around, solver::RegionSpectra& spectra,
                     IncidentSpectrum incident, bool shows_bodies)
    : RegionObserver(spectra),
      far_(std::move(far)),
      around_(std::move(around)),
      surface_(add(
          physics::Flux{far_.name, physics::Flux::Type::box, far_.centre, far_.size, far_.frequencies, far_.origin})),
      incident_(std::move(incident)),
      shows_bodies_(shows_bodies) {}

namespace {

// The half planes phi = 0 and 180 degrees, and 90 and 270, of directions as directions_of() has them: where the table
// has both, they are a cut over all angles.
std::vector<io::Curve> cuts_of(const physics::FarField& far, const std::vector<double>& directivity) {
  std::vector<io::Curve> cuts;
  const auto thetas = static_cast<std::size_t>(far.theta), phis = static_cast<std::size_t>(far.phi);
  const auto angle = [&](std::size_t t) { return pi * double(t) / double(thetas - 1); };
  for (const std::size_t quarter : {0, 1}) {
    if (thetas < 2 || phis % 4 != 0) break;
    const std::size_t right = quarter * phis / 4, left = right + phis / 2;
    io::Curve cut{fmt::format("phi = {} and {} degrees", 90 * quarter, 90 * quarter + 180), {}, {}};
    for (std::size_t t = 0; t < thetas; ++t) cut.x.push_back(angle(t)), cut.y.push_back(directivity[t * phis + right]);
    for (std::size_t t = thetas - 1; t-- > 0;)
      cut.x.push_back(2 * pi - angle(t)), cut.y.push_back(directivity[t * phis + left]);
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

// Directivity at the frequency with most energy; empty where nothing is radiated.
struct Pattern {
  double frequency = 0;             // Hz
  std::vector<double> directivity;  // [directions]
};

io::Section far_section(const physics::FarField& far, bool scattering, const io::Curve& spectrum,
                        const Pattern& strongest, bool shows_body) {
  io::Section section{io::Chapter::measurements, "Far field " + far.name, {}};
  if (spectrum.x.size() > 1)
    section.blocks.push_back(
        io::Chart{scattering ? "Scattering cross section" : "Radiated energy",
                  io::frequency_axis(spectrum.x),
                  scattering ? io::ChartAxis{"Cross section", "m\u00b2"} : io::ChartAxis{"Spectral energy", "J/Hz"},
                  {spectrum}});
  if (strongest.directivity.empty()) return section;
  const double largest = *std::max_element(strongest.directivity.begin(), strongest.directivity.end());
  if (std::vector<io::Curve> cuts = cuts_of(far, strongest.directivity); !cuts.empty())
    section.blocks.push_back(
        io::PolarChart{fmt::format("Directivity over theta at {}, relative to its maximum of {:.3g} ({:.1f} dBi)",
                                   units::frequency_text(strongest.frequency), largest, 10 * std::log10(largest)),
                       std::move(cuts), largest});
  if (io::Scene body = pattern_body(far, strongest.directivity, units::frequency_text(strongest.frequency));
      shows_body && !body.surfaces.empty())
    section.blocks.emplace_back(std::move(body));
  return section;
}

// [directions] how much of a direction's solid angle is above the ground, 0 to 1.
std::vector<double> shares_above(physics::FarField::Side ground, const std::vector<solver::Direction>& directions) {
  if (ground == physics::FarField::Side::none) return std::vector<double>(directions.size(), 1);
  const int side = static_cast<int>(ground) - 1;
  std::vector<double> shares;
  for (const auto& [theta, phi] : directions) {
    const double along[3] = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
    const double height = side % 2 == 0 ? along[side / 2] : -along[side / 2];
    shares.push_back(std::abs(height) < 1e-9 ? 0.5 : height > 0 ? 1 : 0);
  }
  return shares;
}

// A pattern at one frequency.
struct Intensity {
  std::vector<double> of;            // [directions] J/(Hz sr), one-sided: 2 |r E|^2 / Z
  double radiated = 0, largest = 0;  // J/Hz, above the ground; J/(Hz sr)
  double directivity(double u) const { return radiated > 0 ? 4 * pi * u / radiated : 0; }
};

// weight: [directions] solid angle above the ground.
Intensity intensity_of(const solver::FarPattern& pattern, const std::vector<double>& weight, double impedance) {
  Intensity u;
  for (std::size_t d = 0; d < weight.size(); ++d) {
    u.of.push_back(2 / impedance * (std::norm(pattern.theta[d]) + std::norm(pattern.phi[d])));
    u.radiated += u.of[d] * weight[d];
    u.largest = std::max(u.largest, u.of[d]);
  }
  return u;
}

// Rows of far_NAME.csv. incident: J/(Hz m2), of a scattered wave; else null.
std::string rows_of(double frequency, const std::vector<solver::Direction>& directions,
                    const solver::FarPattern& pattern, const Intensity& u, const double* incident) {
  std::string rows;
  for (std::size_t d = 0; d < directions.size(); ++d) {
    rows += fmt::format("{},{:.6g},{:.6g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", frequency,
                        directions[d].theta * 180 / pi, directions[d].phi * 180 / pi, pattern.theta[d].real(),
                        pattern.theta[d].imag(), pattern.phi[d].real(), pattern.phi[d].imag(), u.directivity(u.of[d]));
    rows += incident ? fmt::format(",{:.9g}\n", 4 * pi * u.of[d] / *incident) : "\n";
  }
  return rows;
}

}  // namespace

// Per pair the sums as of a flux, currents, and places on the lines of three axes.
double FarFields::output_bytes() const {
  constexpr double bytes_per_pair = 2 * 4 * sizeof(double) + 2 * 16 + 3 * (sizeof(double) + sizeof(int));
  return bytes_per_pair * double(spectra().samples(surface_).pairs.area.size());
}

// One-sided energies are four times what a peak phasor would give.
std::optional<double> FarFields::absorbed_at(double frequency, const io::Summary& summary) const {
  if (meter_ == nullptr || sums_.peak || !sums_.complete(summary)) return {};
  for (std::size_t f = 0; f < sums_.frequencies.size(); ++f)
    if (std::abs(sums_.frequencies[f] - frequency) <= 1e-9 * frequency) {
      const std::vector<double> materials = meter_->absorbed(f);
      return 4 * std::accumulate(materials.begin(), materials.end(), 0.0);
    }
  return {};
}

// Mirrors are planes of symmetry, but for a ground: the flux through the box and the power of ports are those of one
// part of `parts`.
void FarFields::finish(io::Results& results) {
  const physics::FarField& far = far_;
  const physics::Medium& exterior = around_.exterior;
  const bool has_ground = far.ground != physics::FarField::Side::none;
  const double parts = double(1 << (around_.images.size() - (has_ground ? 1 : 0)));
  const double impedance = vacuum_impedance * std::sqrt(exterior.permeability / exterior.permittivity);
  const auto directions = solver::directions_of(far.theta, far.phi);
  const auto above = shares_above(far.ground, directions);
  std::vector<double> weight = solver::solid_angles(far.theta, far.phi);
  for (std::size_t d = 0; d < weight.size(); ++d) weight[d] *= above[d];
  constexpr std::size_t quick = 100'000;
  if (directions.size() * far.frequencies.size() > quick)
    log::info("far_field.{}: {} directions at {} frequenc{}", far.name, directions.size(), far.frequencies.size(),
              far.frequencies.size() == 1 ? "y" : "ies");
  const auto flux = solver::flux(spectra(), surface_, results.comm);
  auto patterns = solver::far_fields(spectra(), surface_, directions, exterior.permittivity, exterior.permeability,
                                     results.comm, around_.images);
  const auto incident = incident_(far.frequencies);
  const DrivenEnergy driven = driven_ ? driven_(far.frequencies) : DrivenEnergy();
  std::vector<AntennaFigures> antenna;  // [frequencies]; without ports none
  const bool scattering = !incident.empty();
  const std::string section = scattering ? ",cross_section_m2" : "";
  std::string table =
      "frequency_Hz,theta_deg,phi_deg,rE_theta_real_V_s,rE_theta_imag_V_s,rE_phi_real_V_s,rE_phi_imag_V_s,"
      "directivity" +
      section + "\n";
  std::string totals = "frequency_Hz,wavelength_m,radiated_J_per_Hz,flux_J_per_Hz,largest_directivity" + section + "\n";
  io::Curve spectrum;
  Pattern strongest;
  double most = 0;
  for (std::size_t f = 0; f < far.frequencies.size(); ++f) {
    solver::FarPattern& pattern = patterns[f];
    for (std::size_t d = 0; d < directions.size(); ++d)
      if (above[d] == 0) pattern.theta[d] = pattern.phi[d] = 0;
    const Intensity u = intensity_of(pattern, weight, impedance);
    const double* const wave = scattering ? &incident[f] : nullptr;  // J/(Hz m2)
    table += rows_of(far.frequencies[f], directions, pattern, u, wave);
    totals += fmt::format("{},{},{},{},{}", far.frequencies[f], speed_of_light / far.frequencies[f], u.radiated,
                          parts * flux[f], u.directivity(u.largest));
    totals += wave ? fmt::format(",{}\n", u.radiated / *wave) : "\n";
    spectrum.x.push_back(far.frequencies[f]);
    spectrum.y.push_back(wave ? u.radiated / *wave : u.radiated);
    if (driven_) {
      antenna.push_back(antenna_figures({far.theta, far.phi, u.of, u.radiated}, parts * driven.accepted[f],
                                        parts * driven.incident[f]));
      if (const auto absorbed = absorbed_at(far.frequencies[f], results.summary))
        antenna.back().absorbed_share = *absorbed / driven.incident[f];
      const auto top = std::size_t(std::max_element(u.of.begin(), u.of.end()) - u.of.begin());
      antenna.back().axial_ratio = axial_ratio(pattern.theta[top], pattern.phi[top]);
    }
    if (u.radiated > most) {
      most = u.radiated, strongest = {far.frequencies[f], {}};
      for (const double of_direction : u.of) strongest.directivity.push_back(u.directivity(of_direction));
    }
  }
  parallel::root_or_throw(results.comm, [&] {
    results.files.write_table("far_" + far.name + ".csv", {"frequency_Hz", "theta_deg", "phi_deg"}, table);
    results.files.write_table("far_" + far.name + "_total.csv", {"frequency_Hz"}, totals);
  });
  if (io::Section shown = far_section(far, scattering, spectrum, strongest, shows_bodies_); !shown.blocks.empty()) {
    if (parts > 1)
      shown.blocks.push_back(io::Note{
          fmt::format("Of the whole structure; fluxes are those of the domain, one of its {:.0f} parts.", parts)});
    results.summary.sections.push_back(std::move(shown));
  }
  if (driven_) write_antenna(far.name, far.frequencies, antenna, results);
}

}  // namespace dgtd::observers
