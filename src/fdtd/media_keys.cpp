#include "media_keys.hpp"

#include <algorithm>

#include "dgtd/base/constants.hpp"

namespace dgtd::fdtd {
namespace {

bool is_resonant(const physics::Pole& p) { return p.type == physics::Pole::Type::lorentz; }

// Debye poles' share of the conductivity, over eps0, 1/s.
double debye_loss(const grid::Material& m) {
  double loss = 0;
  for (const auto& p : m.poles)
    if (p.type == physics::Pole::Type::debye) loss += p.strength / p.relaxation_time;
  return loss;
}

}  // namespace

PoleSets pole_sets(const std::vector<grid::Material>& materials) {
  PoleSets s;
  for (const auto& m : materials) {
    s.of_material.push_back(m.poles.empty() ? 0 : static_cast<int>(s.sets.size()));
    if (m.poles.empty()) continue;
    s.sets.push_back(m.poles);
    std::stable_partition(s.sets.back().begin(), s.sets.back().end(), is_resonant);
    s.most_poles = std::max(s.most_poles, static_cast<int>(m.poles.size()));
    s.most_resonant =
        std::max(s.most_resonant, static_cast<int>(std::count_if(m.poles.begin(), m.poles.end(), is_resonant)));
  }
  return s;
}

template <class Real>
PoleCoefficients<Real> pole_coefficients(const physics::Pole& p, double dt) {
  using Type = physics::Pole::Type;
  if (p.type == Type::debye) {
    const double steps = p.relaxation_time / dt;
    return {static_cast<Real>((steps - 0.5) / (steps + 0.5)),
            static_cast<Real>(-p.strength / (speed_of_light * p.relaxation_time * (steps + 0.5))), Real(0)};
  }
  const double loss = 1 + 0.5 * p.damping * dt, resonance = p.type == Type::lorentz ? p.resonance * p.resonance : 0;
  return {static_cast<Real>((1 - 0.5 * p.damping * dt) / loss),
          static_cast<Real>(dt * p.strength * p.strength / (speed_of_light * loss)),
          static_cast<Real>(dt * dt * resonance / loss)};
}

// With x = loss dt / (2 relative), by the mean of old and new value: keep = (1 - x) / (1 + x),
// rate = c dt / relative / (1 + x).
template <class Real>
MediumClass<Real> medium_class(const MediumKey& key, double dt) {
  if (key.relative == MediumKey::series) return {0, 1};
  if (key.relative == 0) return {0, 0};  // a perfect conductor holds its E at zero
  const double half = 0.5 * key.loss * dt / key.relative;
  return {static_cast<Real>((1 - half) / (1 + half)),
          static_cast<Real>(speed_of_light * dt / key.relative / (1 + half))};
}

MediumKey MediaKeys::electric(const grid::LocalMedium& m) const {
  if (m.second >= 0) return {MediumKey::series, 0, 0};
  if (at(m.material).perfect_conductor) return {0, 0, 0};
  return {m.permittivity, m.conductivity / vacuum_permittivity + debye_loss(at(m.material)),
          sets_.of_material[static_cast<std::size_t>(m.material)]};
}

MediumKey MediaKeys::electric(int material) const {
  return electric(grid::LocalMedium{material, at(material).permittivity, at(material).conductivity});
}

MediumKey MediaKeys::electric_in_series(int material) const {
  const grid::Material& m = at(material);
  return {m.permittivity, m.conductivity / vacuum_permittivity + debye_loss(m), 0};
}

MediumKey MediaKeys::magnetic(int material) const {
  const grid::Material& m = at(at(material).perfect_conductor ? 0 : material);
  return {m.permeability, m.magnetic_loss / vacuum_permeability, 0};
}

bool MediaKeys::has_magnetic_media() const {
  return std::any_of(materials_.begin(), materials_.end(), [&](const grid::Material& m) {
    return m.permeability != at(0).permeability || m.magnetic_loss != at(0).magnetic_loss;
  });
}

template PoleCoefficients<float> pole_coefficients(const physics::Pole&, double);
template PoleCoefficients<double> pole_coefficients(const physics::Pole&, double);
template MediumClass<float> medium_class(const MediumKey&, double);
template MediumClass<double> medium_class(const MediumKey&, double);

}  // namespace dgtd::fdtd
