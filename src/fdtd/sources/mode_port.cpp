#include "fdtd/sources/mode_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/waveform_filter.hpp"
#include "fdtd/sources/launched_part.hpp"

namespace dgtd::fdtd {

GridMode::GridMode(const grid::Setup& setup, CrossSection section, const physics::Port& port, double time_step)
    : section_(std::move(section)), port_(port), mode_(transverse_mode(section_, port_)), time_step_(time_step) {
  measured_at_ = setup.grid.nodes(section_.normal)[std::size_t(section_.node + (way() > 0 ? 1 : -1))];
  for (const double frequency : port_.frequencies) check(frequency);
  if (port_.is_excited()) check(port_.waveform.frequency);
}

// k_c = n 2 / (c dt) sin(omega dt / 2)
double GridMode::cut_off() const {
  return std::asin(0.5 * time_step_ * speed_of_light *
                   std::sqrt(mode_.cut_off_square / (section_.permittivity * section_.permeability))) /
         (pi * time_step_);
}

// With the transverse wave number k_c of the grid a mode exp(i (omega t - beta z)) fulfils
//   (2/d sin(beta d / 2))^2 = eps_r mu_r (2 / (c dt) sin(omega dt / 2))^2 - k_c^2,
// and of E at nodes and H half a cell beside it, from Faraday's law of TE modes and Ampere's of TM modes,
//   Z_TE = mu (2/dt sin(omega dt / 2)) / (2/d sin(beta d / 2)),
//   Z_TM = (2/d sin(beta d / 2)) / (eps 2/dt sin(omega dt / 2)).
// (Taflove, Hagness 2005, sec. 4.2, for one axis.) Returns sin(beta d / 2); above 1: no wave of the grid is so short.
double GridMode::sine_of_half_phase(double frequency) const {
  const double k = grid_frequency(frequency) * std::sqrt(section_.permittivity * section_.permeability) / speed_of_light;
  return 0.5 * section_.spacing * std::sqrt(std::max(0.0, k * k - mode_.cut_off_square));
}

double GridMode::grid_frequency(double frequency) const {
  return 2 / time_step_ * std::sin(pi * frequency * time_step_);
}

GridMode::Ratios GridMode::ratios(double frequency) const {
  const double sine = sine_of_half_phase(frequency), beta = 2 / section_.spacing * sine,
               omega = grid_frequency(frequency);
  const double te = vacuum_permeability * section_.permeability * omega / beta,
               tm = beta / (vacuum_permittivity * section_.permittivity * omega);
  return {std::asin(sine), mode_.is_transverse_electric ? te : tm};
}

void GridMode::check(double frequency) const {
  const double sine = sine_of_half_phase(frequency);
  if (!(sine > 0))
    throw Error(fmt::format("{}: {} is below the cut-off of its mode, {}; frequencies must be above",
                            name_of_port(port_), units::frequency_text(frequency), units::frequency_text(cut_off())));
  if (!(sine < 1))
    throw Error(fmt::format("{}: the cells, {:.4g} m along {}, are too long for its wave at {}; they must be shorter "
                            "than half of it",
                            name_of_port(port_), section_.spacing, "xyz"[section_.normal],
                            units::frequency_text(frequency)));
}

// The mean of H at both sides is cos(beta d / 2) of H at the plane.
solver::ModeWave GridMode::at(double frequency) const {
  const Ratios r = ratios(frequency);
  return {2 * r.half_phase / section_.spacing, r.wave_impedance / (mode_.norm * std::cos(r.half_phase))};
}

solver::PortMode measured_mode(const std::shared_ptr<const GridMode>& mode) {
  const physics::Port& port = mode->port_;
  const int b = mode->section_.normal;
  solver::PortMode m;
  m.plane = {port.name, physics::Flux::Type::plane, port.centre, port.size, port.frequencies, port.origin};
  m.plane.centre[b] = mode->measured_at_;
  m.direction = mode->way();
  m.distance = m.direction * (mode->measured_at_ - port.centre[b]) - port.shift;
  m.cut_off = mode->cut_off();
  for (const double frequency : port.frequencies) m.waves.push_back(mode->at(frequency));
  m.weights = [mode](const solver::SurfacePairs& pairs, std::size_t) {
    return solver::weights_of_mode(pairs, mode->mode_.norm, [&](const Vec3& place, int axis) {
      return mode->electric(place, axis == mode->section_.axes[0] ? 0 : 1);
    });
  };
  return m;
}

// E is the waveform on the plane, and H behind it the waveform after the filter that the mode's admittance is, so that
// over the whole band nothing is sent backwards.
template <class Real>
DiscreteSource GridMode::source(const grid::Setup& setup, const Discretisation<Real>& d) const {
  // Half a cell behind the plane the current leads by beta d / 2. Below the cut-off nothing is sent.
  const auto current_of_voltage = [&](double frequency) -> std::complex<double> {
    if (const double sine = sine_of_half_phase(frequency); !(sine > 0 && sine < 1)) return 0;
    const Ratios r = ratios(frequency);
    return std::polar(1 / r.wave_impedance, r.half_phase);
  };
  std::vector<LaunchedPart> parts;
  const auto times = [&](double factor) {
    auto values = mode_.electric;
    for (auto& along : values)
      for (double& value : along) value *= factor;
    return values;
  };
  const auto electric = times(port_.excite);
  for (const physics::DelayedCopy& copy : physics::delayed_copies(port_.waveform, current_of_voltage)) {
    LaunchedPart& part = parts.emplace_back(LaunchedPart{0, copy.delay, {}, electric});
    if (parts.size() == 1) part.electric = electric;
    for (auto& along : part.magnetic)
      for (double& value : along) value *= vacuum_impedance * copy.factor;
  }
  const double Cb = speed_of_light * d.time_step / section_.permittivity;
  return launched(setup, d, section_, port_, parts, [Cb](int, int, int, int) { return Cb; });
}

template DiscreteSource GridMode::source<float>(const grid::Setup&, const Discretisation<float>&) const;
template DiscreteSource GridMode::source<double>(const grid::Setup&, const Discretisation<double>&) const;

}  // namespace dgtd::fdtd
