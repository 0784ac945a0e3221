#include "reference_powers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/incident_power.hpp"

namespace dgtd::app {

std::optional<double> incident_power(const config::Case& c, const config::Material& exterior) {
  if (c.sar.normalise != config::Sar::Normalise::incident || c.dft.frequencies.empty()) return {};
  auto sources = c.sources;
  // On grids a wave's phase is that of its total-field box.
  if (!c.solver.method.has.tetrahedra)
    for (auto& s : sources) s.position = {};
  return dosimetry::incident_power_density(sources, c.dft.frequencies.front(), exterior);
}

namespace {

// Emitted power is a mean over the last period: a current that is zero, or a pulse that is over by then, has none.
void check_emission(const config::Case& c) {
  using Type = physics::Waveform::Type;
  const auto lasts = [](const config::Source& s) {
    return s.type == config::Source::Type::dipole && s.moment != 0 && s.waveform.type != Type::modulated_gaussian;
  };
  if (std::any_of(c.sources.begin(), c.sources.end(), lasts)) return;
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::dipole)
      throw Error(fmt::format(
          "{}: source.{}: sar.normalise = emitted or accepted needs a dipole that radiates in the "
          "last period: {}; allowed is also sar.normalise = none",
          s.origin, s.name, s.moment == 0 ? "its moment must not be 0" : "its waveform must be sine or ramped-sine"));
}

}  // namespace

// SAR can refer only to a power that the case's sources have; said before the run, not after it.
void check_normalisation(const config::Case& c) {
  using Normalise = config::Sar::Normalise;
  const auto has = [&](config::Source::Type type) {
    return std::any_of(c.sources.begin(), c.sources.end(), [&](const auto& s) { return s.type == type; });
  };
  if ((c.sar.normalise == Normalise::emitted || c.sar.normalise == Normalise::accepted) &&
      !has(config::Source::Type::dipole))
    throw Error("sar.normalise = emitted or accepted needs a source of type dipole; allowed here are incident, none");
  if (c.sar.normalise != Normalise::none && (c.dft.frequencies.empty() || c.dft.window == config::Dft::Window::all))
    log::warn("sar.normalise has no effect: SAR needs time.frequency and dft.window = last-period");
  else if (c.sar.normalise == Normalise::emitted || c.sar.normalise == Normalise::accepted) check_emission(c);
  if (c.sar.normalise != Normalise::incident) return;
  if (!has(config::Source::Type::plane_wave))
    throw Error("sar.normalise = incident needs a source of type plane-wave; allowed here are emitted, accepted, none");
  if (c.dft.frequencies.empty()) return;
  const double frequency = c.dft.frequencies.front();
  if (!incident_power(c, {}))
    throw Error(
        fmt::format("sar.normalise = incident needs a source of type plane-wave at {} Hz, the first frequency "
                    "of [dft], which is that of the SAR",
                    frequency));
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::plane_wave && !dosimetry::has_frequency(s, frequency))
      log::warn("{}: source.{}: its {} Hz are not counted as incident power: SAR is that of {} Hz", s.origin, s.name,
                s.waveform.frequency, frequency);
}

}  // namespace dgtd::app
