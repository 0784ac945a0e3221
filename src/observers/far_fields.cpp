#include "dgtd/observers/far_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pattern_body.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

FarFields::FarFields(std::vector<physics::FarField> far_fields, physics::Medium exterior,
                     solver::RegionSpectra& spectra, IncidentSpectrum incident, bool shows_bodies)
    : RegionObserver(spectra),
      exterior_(std::move(exterior)),
      incident_(std::move(incident)),
      shows_bodies_(shows_bodies) {
  for (auto& far : far_fields) {
    const std::size_t surface =
        add(physics::Flux{far.name, physics::Flux::Type::box, far.centre, far.size, far.frequencies, far.origin});
    boxes_.push_back({std::move(far), surface});
  }
}

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

}  // namespace

void FarFields::finish(io::Results& results) {
  for (const Box& box : boxes_) write(box, results);
}

// Per pair the sums as of a flux, currents, and places on the lines of three axes.
double FarFields::output_bytes() const {
  constexpr double bytes_per_pair = 2 * 4 * sizeof(double) + 2 * 16 + 3 * (sizeof(double) + sizeof(int));
  double most = 0;
  for (const Box& box : boxes_) most = std::max(most, double(spectra().samples(box.surface).pairs.area.size()));
  return bytes_per_pair * most;
}

void FarFields::write(const Box& box, io::Results& results) const {
  const physics::FarField& far = box.far;
  const double impedance = vacuum_impedance * std::sqrt(exterior_.permeability / exterior_.permittivity);
  const auto directions = solver::directions_of(far.theta, far.phi);
  const auto angles = solver::solid_angles(far.theta, far.phi);
  constexpr std::size_t quick = 100'000;
  if (directions.size() * far.frequencies.size() > quick)
    log::info("far_field.{}: {} directions at {} frequenc{}", far.name, directions.size(), far.frequencies.size(),
              far.frequencies.size() == 1 ? "y" : "ies");
  const auto flux = solver::flux(spectra(), box.surface, results.comm);
  const auto patterns = solver::far_fields(spectra(), box.surface, directions, exterior_.permittivity,
                                           exterior_.permeability, results.comm);
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
    const auto& pattern = patterns[f];
    // Energy per frequency and solid angle, one-sided: 2 |r E|^2 / Z, J/(Hz sr).
    std::vector<double> intensity;
    double radiated = 0, largest = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      intensity.push_back(2 / impedance * (std::norm(pattern.theta[d]) + std::norm(pattern.phi[d])));
      radiated += intensity[d] * angles[d];
      largest = std::max(largest, intensity[d]);
    }
    const auto directivity = [&](double u) { return radiated > 0 ? 4 * pi * u / radiated : 0; };
    for (std::size_t d = 0; d < directions.size(); ++d) {
      table +=
          fmt::format("{},{:.6g},{:.6g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", far.frequencies[f],
                      directions[d].theta * 180 / pi, directions[d].phi * 180 / pi, pattern.theta[d].real(),
                      pattern.theta[d].imag(), pattern.phi[d].real(), pattern.phi[d].imag(), directivity(intensity[d]));
      table += scattering ? fmt::format(",{:.9g}\n", 4 * pi * intensity[d] / incident[f]) : "\n";
    }
    totals += fmt::format("{},{},{},{},{}", far.frequencies[f], speed_of_light / far.frequencies[f], radiated, flux[f],
                          directivity(largest));
    totals += scattering ? fmt::format(",{}\n", radiated / incident[f]) : "\n";
    spectrum.x.push_back(far.frequencies[f]);
    spectrum.y.push_back(scattering ? radiated / incident[f] : radiated);
    if (driven_) {
      antenna.push_back(
          antenna_figures({far.theta, far.phi, intensity, radiated}, driven.accepted[f], driven.incident[f]));
      const auto top = std::size_t(std::max_element(intensity.begin(), intensity.end()) - intensity.begin());
      antenna.back().axial_ratio = axial_ratio(pattern.theta[top], pattern.phi[top]);
    }
    if (radiated > most) {
      most = radiated, strongest = {far.frequencies[f], {}};
      for (const double u : intensity) strongest.directivity.push_back(directivity(u));
    }
  }
  parallel::root_or_throw(results.comm, [&] {
    results.files.write_table("far_" + far.name + ".csv", {"frequency_Hz", "theta_deg", "phi_deg"}, table);
    results.files.write_table("far_" + far.name + "_total.csv", {"frequency_Hz"}, totals);
  });
  if (io::Section shown = far_section(far, scattering, spectrum, strongest, shows_bodies_); !shown.blocks.empty())
    results.summary.sections.push_back(std::move(shown));
  if (driven_) write_antenna(far.name, far.frequencies, antenna, results);
}

}  // namespace dgtd::observers
