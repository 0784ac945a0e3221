#include "app/problems/incident_spectrum.hpp"

#include <algorithm>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::app {

observers::IncidentSpectrum incident_spectrum(const config::Case& c, const solver::Stepper& run, bool from_vacuum) {
  const bool alone = c.sources.size() == 1 && c.sources[0].type == config::Source::Type::plane_wave;
  if (!alone || !from_vacuum) return [](const std::vector<double>&) { return std::vector<double>{}; };
  const physics::Source& wave = c.sources[0];
  return [shape = physics::shape_of(wave.waveform), amplitude = wave.amplitude,
          run = &run](const std::vector<double>& frequencies) {
    const double dt = run->time_step();
    const std::int64_t steps = run->steps_done();
    std::vector<double> spectrum;
    for (const double f : frequencies) {
      std::complex<double> sum = 0;
      for (std::int64_t n = 0; n < steps; ++n)
        sum += dt * physics::value(shape, double(n) * dt) * std::polar(1.0, 2 * pi * f * double(n) * dt);
      spectrum.push_back(2 * std::norm(amplitude * sum) / vacuum_impedance);
    }
    return spectrum;
  };
}

observers::DrivenSpectrum driven_spectrum(const config::Case& c, solver::PortRecords* records, double dt,
                                          observers::GuideSpectra guides) {
  const auto excited = [](const auto& p) { return p.is_excited(); };
  const auto sends_by_mode = [](const auto& p) { return p.is_excited() && !p.is_lumped(); };
  const bool by_ports = std::any_of(c.ports.begin(), c.ports.end(), excited) &&
                        (guides || std::none_of(c.ports.begin(), c.ports.end(), sends_by_mode));
  if (!by_ports || !c.sources.empty() || records == nullptr) return {};
  return observers::driven_by(c.ports, *records, dt, std::move(guides));
}

// Ports across guides have spectra at their own frequencies alone.
observers::DrivenSpectrum antenna_spectrum(const config::Case& c, const physics::FarField& far, solver::PortRecords* records,
                                           double dt, const observers::Ports* ports, const parallel::Communicator& comm) {
  if (ports == nullptr) return {};
  for (const auto& port : c.ports) {
    if (!port.is_excited() || port.is_lumped() || !c.sources.empty()) continue;
    for (const double frequency : far.frequencies)
      if (!observers::place_of_frequency(port, frequency)) {
        log::warn("far_field.{} has no antenna_{}.csv, because port.{}, which excites it, does not have {} among its "
                     "frequencies",
                     far.name, far.name, port.name, units::frequency_text(frequency));
        return {};
      }
  }
  return driven_spectrum(c, records, dt, [ports, &comm](std::size_t port) { return ports->spectra_of(port, comm); });
}

}  // namespace dgtd::app
