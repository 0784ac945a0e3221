#include "dgtd/dosimetry/incident_power.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::dosimetry {

namespace {

constexpr double same = 1e-9;  // relative difference up to which frequencies and directions are equal

[[noreturn]] void refuse(const physics::Source& wave, const std::string& why) {
  throw Error(fmt::format("{}: source.{}: sar.normalise = incident {}", wave.origin, wave.name, why));
}

// Waves of one frequency have one power density only where they are one wave: of one direction, in one region.
void require_one_wave(const physics::Source& a, const physics::Source& b) {
  const char* const allowed = "allowed are waves of one frequency and one direction, one wave, or sar.normalise = none";
  if (norm(a.direction - b.direction) > same)
    refuse(b, fmt::format("has no power density to refer to: it is coherent with source.{} and has another direction; "
                          "{}",
                          a.name, allowed));
  if (a.box_min != b.box_min || a.box_max != b.box_max || a.total_field != b.total_field)
    refuse(b, fmt::format("has no power density to refer to: it is coherent with source.{} and has another "
                          "total field; {}",
                          a.name, allowed));
}

}  // namespace

bool has_frequency(const physics::Source& source, double frequency) {
  return std::abs(source.waveform.frequency - frequency) <= same * frequency;
}

std::optional<double> incident_power_density(const std::vector<physics::Source>& sources, double frequency,
                                             const physics::Medium& exterior) {
  using Type = physics::Source::Type;
  const double wave_number =
      2 * pi * frequency / speed_of_light * std::sqrt(exterior.permittivity * exterior.permeability);
  const physics::Source* first = nullptr;
  std::complex<double> field[3]{};  // V/m, phasor of the sum at the origin
  for (const auto& wave : sources) {
    if (wave.type != Type::plane_wave || !has_frequency(wave, frequency)) continue;
    if (wave.waveform.type == physics::Waveform::Type::modulated_gaussian)
      refuse(wave, "needs a wave that lasts: its waveform must be sine or ramped-sine");
    if (first == nullptr) first = &wave;
    require_one_wave(*first, wave);
    const auto phase = std::polar(1.0, -wave_number * dot(wave.direction, wave.position));
    for (int a = 0; a < 3; ++a) field[a] += wave.amplitude * wave.polarisation[a] * phase;
  }
  if (first == nullptr) return {};
  const double square = std::norm(field[0]) + std::norm(field[1]) + std::norm(field[2]);
  const double impedance = vacuum_impedance * std::sqrt(exterior.permeability / exterior.permittivity);
  return square / (2 * impedance);
}

}  // namespace dgtd::dosimetry
