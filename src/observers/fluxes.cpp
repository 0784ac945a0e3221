#include "dgtd/observers/fluxes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

Fluxes::Fluxes(std::vector<physics::Flux> fluxes, solver::RegionSpectra& spectra, IncidentSpectrum incident)
    : RegionObserver(spectra), incident_(std::move(incident)) {
  for (auto& flux : fluxes) {
    const std::size_t number = add(flux);
    surfaces_.push_back({std::move(flux), number});
  }
}

void Fluxes::finish(io::Results& results) {
  for (const Surface& s : surfaces_) {
    const auto spectrum = solver::flux(spectra(), s.number, results.comm);
    const auto incident = incident_(s.flux.frequencies);
    std::string text = "frequency_Hz,wavelength_m,outward_energy_J_per_Hz" +
                       std::string(incident.empty() ? "" : ",outward_cross_section_m2") + "\n";
    for (std::size_t f = 0; f < spectrum.size(); ++f) {
      text += fmt::format("{},{},{}", s.flux.frequencies[f], speed_of_light / s.flux.frequencies[f], spectrum[f]);
      text += incident.empty() ? "\n" : fmt::format(",{}\n", spectrum[f] / incident[f]);
    }
    parallel::root_or_throw(results.comm, [&] { io::write_text(results.file("flux_" + s.flux.name + ".csv"), text); });
  }
}

// Four parts of the sums per pair, twice while they are copied.
double Fluxes::output_bytes() const {
  constexpr double bytes_per_pair = 2 * 4 * sizeof(double);
  double most = 0;
  for (const Surface& s : surfaces_) most = std::max(most, double(spectra().samples(s.number).pairs.area.size()));
  return bytes_per_pair * most;
}

}  // namespace dgtd::observers
