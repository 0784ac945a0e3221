#include "incident_spectrum.hpp"

#include <complex>

#include "dgtd/base/constants.hpp"
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

}  // namespace dgtd::app
