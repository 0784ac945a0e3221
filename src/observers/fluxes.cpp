#include "dgtd/observers/fluxes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::observers {

Fluxes::Fluxes(std::vector<physics::Flux> fluxes, solver::SpectralSolver& solver, double highest_source,
               double time_step, IncidentSpectrum incident)
    : solver_(solver), incident_(std::move(incident)) {
  for (auto& flux : fluxes) {
    const std::size_t number = solver.add_surface(flux);
    const std::int64_t interval = physics::sampling_interval(flux.frequencies, highest_source, time_step);
    surfaces_.push_back({std::move(flux), number, interval});
  }
}

std::int64_t Fluxes::next(std::int64_t step) const {
  std::int64_t next = solver::never;
  for (const Surface& s : surfaces_) next = std::min(next, solver::next_multiple(step, s.interval, 1));
  return next;
}

void Fluxes::observe(const solver::Clock& clock) {
  for (const Surface& s : surfaces_)
    if (clock.steps % s.interval == 0) solver_.accumulate_surface(s.number, double(s.interval) * clock.time_step);
}

void Fluxes::finish(io::Results& results) {
  for (const Surface& s : surfaces_) {
    const auto spectrum = solver_.flux(s.number);
    const auto incident = incident_(s.flux.frequencies);
    std::string text = "frequency_Hz,wavelength_m,outward_energy_J_per_Hz" +
                       std::string(incident.empty() ? "" : ",outward_cross_section_m2") + "\n";
    for (std::size_t f = 0; f < spectrum.size(); ++f) {
      text += fmt::format("{},{},{}", s.flux.frequencies[f], speed_of_light / s.flux.frequencies[f], spectrum[f]);
      text += incident.empty() ? "\n" : fmt::format(",{}\n", spectrum[f] / incident[f]);
    }
    parallel::root_or_throw(results.comm,
                            [&] { io::write_text(results.directory / ("flux_" + s.flux.name + ".csv"), text); });
  }
}

}  // namespace dgtd::observers
