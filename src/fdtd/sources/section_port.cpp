#include "fdtd/sources/section_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/waveform_filter.hpp"
#include "fdtd/media/electric_cb.hpp"
#include "fdtd/sources/launched_part.hpp"

namespace dgtd::fdtd {

namespace {

// Frequencies at which the port measures, and its carrier.
grid::Band band_of(const physics::Port& port) {
  grid::Band band{port.frequencies.front(), port.frequencies.back()};
  if (port.is_excited())
    band = {std::min(band.first, port.waveform.frequency), std::max(band.last, port.waveform.frequency)};
  return band;
}

}  // namespace

SectionPort::SectionPort(const grid::Setup& setup, CrossSection section, const physics::Port& port, double time_step,
                         const parallel::Communicator& comm)
    : section_(std::move(section)),
      port_(port),
      time_step_(time_step),
      measured_at_(setup.grid.nodes(
          section_.normal)[std::size_t(section_.node + (port.direction[section_.normal] > 0 ? 1 : -1))]),
      mode_(section_, port_.mode_number(), band_of(port_), time_step, name_of_port(port_)) {
  for (const double frequency : port_.frequencies) {
    if (!(0.25 * section_.spacing * section_.spacing * mode_.square(frequency) < 1))
      throw Error(
          fmt::format("{}: the cells, {:.4g} m along {}, are too long for its wave at {}; they must be shorter "
                      "than half of it",
                      name_of_port(port_), section_.spacing, "xyz"[section_.normal], units::frequency_text(frequency)));
    at_frequencies_.push_back(mode_.at(frequency));
  }
  if (comm.is_root()) mode_.warn_where_cut(name_of_port(port_));
}

double SectionPort::half_phase(double frequency) const {
  return std::asin(std::min(1.0, 0.5 * section_.spacing * std::sqrt(mode_.square(frequency))));
}

// With sum E^2 area = 1 the wave of 1 V has the power 1 / Z, Z = 1 / sum E H area: for a hollow guide its wave
// impedance, else the mean of E over H with the power as weight. H at the plane is cos(beta d / 2) of that at both
// sides.
solver::ModeWave SectionPort::wave(const grid::SectionMode& mode, double frequency) const {
  const double phase = half_phase(frequency);
  return {2 * phase / section_.spacing, vacuum_impedance / (power_of(section_, mode, mode) * std::cos(phase))};
}

// For a mode m, with E_m even and H_m odd in the direction, sum (E_m x H_n - E_n x H_m) = 0 with any other wave n of
// the grid (Lorentz). Hence sum E h and sum e H of a field with those of the mode are its forward plus and minus its
// backward wave.
solver::PortMode SectionPort::measured(const std::shared_ptr<const SectionPort>& port) {
  const physics::Port& p = port->port_;
  const int b = port->section_.normal;
  solver::PortMode m;
  m.plane = {p.name, physics::Flux::Type::plane, p.centre, p.size, p.frequencies, p.origin};
  m.plane.centre[b] = port->measured_at_;
  m.direction = p.direction[b];
  m.distance = m.direction * (port->measured_at_ - p.centre[b]) - p.shift;
  for (std::size_t f = 0; f < p.frequencies.size(); ++f)
    m.waves.push_back(port->wave(port->at_frequencies_[f], p.frequencies[f]));
  m.weights = [port](const solver::SurfacePairs& pairs, std::size_t frequency) {
    const grid::SectionMode& mode = port->at_frequencies_[frequency];
    const double power = power_of(port->section_, mode, mode);
    return solver::weights_of_mode(pairs, power, [&](const Vec3& place, int electric_axis) {
      const std::size_t axis = electric_axis == port->section_.axes[0] ? 0 : 1;
      const auto number = static_cast<std::size_t>(port->section_.number_of(place, static_cast<int>(axis)));
      return solver::ModeFields{mode.electric[axis][number], mode.magnetic[axis][number]};
    });
  };
  return m;
}

// The profile changes over the band as the weights w_k(f) of solutions do. Each of them is a filter, of H with
// exp(i beta d / 2), as sums of copies of the waveform with the same delays: sum_k w_k E_k = sum_m (sum_k c_km E_k)
// exp(-i omega delay_m).
std::vector<LaunchedPart> SectionPort::parts() const {
  const auto scaled = [](std::array<std::vector<double>, 2> values, double factor) {
    for (auto& along : values)
      for (double& value : along) value *= factor;
    return values;
  };
  if (port_.waveform.type != physics::Waveform::Type::modulated_gaussian) {
    const double f = port_.waveform.frequency;
    const grid::SectionMode mode = mode_.at(f);
    return {
        {0, -half_phase(f) / (2 * pi * f), scaled(mode.electric, port_.excite), scaled(mode.magnetic, port_.excite)}};
  }
  std::vector<LaunchedPart> parts;
  const auto add = [](std::array<std::vector<double>, 2>& to, const std::array<std::vector<double>, 2>& values,
                      double factor) {
    for (const std::size_t w : {0, 1}) {
      to[w].resize(values[w].size(), 0);
      for (std::size_t n = 0; n < values[w].size(); ++n) to[w][n] += factor * values[w][n];
    }
  };
  const std::vector<grid::SectionMode>& solutions = mode_.solutions();
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const auto electric = physics::delayed_copies(port_.waveform, [&](double f) { return std::complex(mode_.weights(f)[k]); });
    const auto magnetic = physics::delayed_copies(
        port_.waveform, [&](double f) { return std::polar(1.0, half_phase(f)) * mode_.weights(f)[k]; });
    parts.resize(electric.size());
    for (std::size_t m = 0; m < electric.size(); ++m) {
      parts[m].electric_delay = electric[m].delay, parts[m].magnetic_delay = magnetic[m].delay;
      add(parts[m].electric, solutions[k].electric, port_.excite * electric[m].factor);
      add(parts[m].magnetic, solutions[k].magnetic, port_.excite * magnetic[m].factor);
    }
  }
  return parts;
}

template <class Real>
DiscreteSource SectionPort::source(const grid::Setup& setup, const Discretisation<Real>& d) const {
  const ElectricCb<Real> media(d);
  return launched(setup, d, section_, port_, parts(),
                  [&](int component, int i, int j, int k) { return media.Cb(component, i, j, k); });
}

template DiscreteSource SectionPort::source<float>(const grid::Setup&, const Discretisation<float>&) const;
template DiscreteSource SectionPort::source<double>(const grid::Setup&, const Discretisation<double>&) const;

}  // namespace dgtd::fdtd
