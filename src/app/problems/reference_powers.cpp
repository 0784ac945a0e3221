#include "app/problems/reference_powers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/problems/output_selection.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/incident_power.hpp"

namespace dgtd::app {

bool has_excited_port(const config::Case& c) {
  return std::any_of(c.ports.begin(), c.ports.end(), [](const auto& p) { return p.is_excited(); });
}

std::optional<double> incident_power(const config::Case& c, const config::Material& exterior) {
  if (c.sar.normalise != config::Sar::Normalise::incident || c.dft.frequencies.empty()) return {};
  auto sources = c.sources;
  // On grids a wave's phase is that of its total-field box.
  if (!c.solver.method.has.tetrahedra)
    for (auto& s : sources) s.position = {};
  return dosimetry::incident_power_density(sources, c.dft.frequencies.front(), exterior);
}

namespace {

using Normalise = config::Sar::Normalise;
using WaveformType = physics::Waveform::Type;

bool refers_to_emission(Normalise n) {
  return n == Normalise::emitted || n == Normalise::accepted || n == Normalise::incident_at_port;
}

// The power that ports accept is known where nothing else drives the fields.
void check_port_powers(const config::Case& c) {
  const std::string key = fmt::format("sar.normalise = {}", dosimetry::name_of(c.sar.normalise));
  if (c.sar.normalise == Normalise::incident_at_port && !has_excited_port(c))
    throw Error(key + " needs a port with excite; allowed here are emitted, accepted, incident, none");
  const bool at_ports = c.sar.normalise != Normalise::emitted || c.dft.window == config::Dft::Window::all;
  if (!has_excited_port(c) || !at_ports) return;
  for (const auto& s : c.sources)
    throw Error(
        fmt::format("{}: source.{}: {} refers to what the ports send, so there must be no sources beside them; "
                    "allowed is also sar.normalise = none",
                    s.origin, s.name, key));
}

// Powers are means over the last period: a current that is zero, or a pulse that is over by then, has none.
void check_emission(const config::Case& c) {
  const auto lasts = [](const config::Source& s) {
    return s.type == config::Source::Type::dipole && s.moment != 0 &&
           s.waveform.type != WaveformType::modulated_gaussian;
  };
  const auto sends = [](const config::Port& p) {
    return p.is_excited() && p.waveform.type != WaveformType::modulated_gaussian;
  };
  if (std::any_of(c.sources.begin(), c.sources.end(), lasts) || std::any_of(c.ports.begin(), c.ports.end(), sends))
    return;
  for (const auto& p : c.ports)
    if (p.is_excited())
      throw Error(
          fmt::format("{}: port.{}: sar.normalise = {} needs a port that sends in the last period: its waveform must "
                      "be sine or ramped-sine, or on tetrahedra dft.window = all; allowed is also sar.normalise = none",
                      p.origin, p.name, dosimetry::name_of(c.sar.normalise)));
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::dipole)
      throw Error(
          fmt::format("{}: source.{}: sar.normalise = emitted or accepted needs a dipole that radiates in the "
                      "last period: {}; allowed is also sar.normalise = none",
                      s.origin, s.name,
                      s.moment == 0 ? "its moment must not be 0"
                                    : "its waveform must be sine or ramped-sine, or on tetrahedra dft.window = all"));
}

// The amplitude spectrum of a pulse over its maximum.
double spectrum_over_maximum(const physics::Waveform& pulse, double frequency) {
  const double half_widths = 2 * (frequency - pulse.frequency) / pulse.bandwidth;
  return std::exp2(-half_widths * half_widths);
}

// The SAR of a pulse: at every frequency some dipole must radiate more than the rounding errors of single precision and
// the start of the pulse, 4e-6 of its peak, do; and nothing else may radiate.
void check_pulse(const config::Case& c) {
  constexpr double least = 1e-3;  // of the maximum of the amplitude spectrum
  if (has_excited_port(c)) {
    for (const auto& p : c.ports)
      if (p.is_excited() && p.waveform.type != WaveformType::modulated_gaussian)
        throw Error(
            fmt::format("{}: port.{}: with dft.window = all SAR is that of a pulse: its waveform must be "
                        "modulated-gaussian; allowed are also dft.window = last-period and sar.normalise = none",
                        p.origin, p.name));
    return;
  }
  const config::Source* pulse = nullptr;
  for (const auto& s : c.sources) {
    if (s.type != config::Source::Type::dipole)
      throw Error(
          fmt::format("{}: source.{}: with dft.window = all SAR refers to what dipoles emit, so all sources must be of "
                      "type dipole; allowed is also sar.normalise = none",
                      s.origin, s.name));
    if (s.moment == 0) continue;
    if (s.waveform.type != physics::Waveform::Type::modulated_gaussian)
      throw Error(
          fmt::format("{}: source.{}: with dft.window = all SAR is that of a pulse: its waveform must be "
                      "modulated-gaussian; allowed are also dft.window = last-period and sar.normalise = none",
                      s.origin, s.name));
    pulse = &s;
  }
  if (!pulse) return check_emission(c);
  for (const double f : c.dft.frequencies) {
    const auto has = [&](const config::Source& s) {
      return s.moment != 0 && spectrum_over_maximum(s.waveform, f) >= least;
    };
    if (std::any_of(c.sources.begin(), c.sources.end(), has)) continue;
    const double reach = 0.5 * pulse->waveform.bandwidth * std::sqrt(-std::log2(least));
    throw Error(fmt::format(
        "{}: source.{}: its pulse has too little at dft.frequencies = {} Hz, {:.2g} of the largest amplitude of its "
        "spectrum, for SAR there; allowed are {:.4g} to {:.4g} Hz, or a larger bandwidth",
        pulse->origin, pulse->name, f, spectrum_over_maximum(pulse->waveform, f),
        std::max(pulse->waveform.frequency - reach, 0.0), pulse->waveform.frequency + reach));
  }
}

}  // namespace

// SAR can refer only to a power that the case's sources have; said before the run, not after it.
void check_normalisation(const config::Case& c) {
  const auto has = [&](config::Source::Type type) {
    return std::any_of(c.sources.begin(), c.sources.end(), [&](const auto& s) { return s.type == type; });
  };
  if ((c.sar.normalise == Normalise::emitted || c.sar.normalise == Normalise::accepted) &&
      !has(config::Source::Type::dipole) && !has_excited_port(c))
    throw Error(
        "sar.normalise = emitted or accepted needs a source of type dipole or a port with excite; allowed here are "
        "incident, none");
  if (refers_to_emission(c.sar.normalise)) check_port_powers(c);
  if (has_sar_spectrum(c)) return check_pulse(c);
  if (c.sar.normalise != Normalise::none && (c.dft.frequencies.empty() || c.dft.window == config::Dft::Window::all))
    log::warn(
        "sar.normalise has no effect: SAR needs time.frequency and dft.window = last-period, or on tetrahedra "
        "dft.window = all with dipoles or ports (emitted, accepted, incident at port)");
  else if (refers_to_emission(c.sar.normalise)) check_emission(c);
  if (c.sar.normalise != Normalise::incident) return;
  if (!has(config::Source::Type::plane_wave))
    throw Error("sar.normalise = incident needs a source of type plane-wave; allowed here are emitted, accepted, "
                "incident at port, none");
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
