#include "media_keys.hpp"

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/update_coefficients.hpp"

namespace dgtd::fdtd {
namespace {

bool is_resonant(const physics::Pole& p) { return p.type == physics::Pole::Type::lorentz; }

// Debye poles' share of the conductivity, over eps0, 1/s.
double debye_conductivity(const physics::Medium& m) {
  double conductivity = 0;
  for (const auto& p : m.poles)
    if (p.type == physics::Pole::Type::debye) conductivity += p.strength / p.relaxation_time;
  return conductivity;
}

}  // namespace

PoleSets pole_sets(const std::vector<physics::Medium>& materials) {
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
PoleCoefficients<Real> pole_coefficients(const physics::Pole& pole, double dt) {
  const auto [Ja, Jb, Jc] = physics::pole_coefficients(pole, dt);
  return {static_cast<Real>(Ja), static_cast<Real>(Jb), static_cast<Real>(Jc)};
}

template <class Real>
MediumClass<Real> medium_class(const MediumKey& key, double dt) {
  if (key.relative == MediumKey::series) return {0, 1};
  if (key.relative == 0) return {0, 0};  // a perfect conductor holds its E at zero
  const auto [a, b] = physics::field_coefficients(key.relative, 0.5 * key.conductivity * dt / key.relative, dt);
  return {static_cast<Real>(a), static_cast<Real>(b)};
}

MediumKey MediaKeys::electric(const grid::LocalMedium& m) const {
  if (m.second >= 0) return {MediumKey::series, 0, 0};
  if (at(m.material).perfect_conductor) return {0, 0, 0};
  return {m.permittivity, m.conductivity / vacuum_permittivity + debye_conductivity(at(m.material)),
          sets_.of_material[static_cast<std::size_t>(m.material)]};
}

MediumKey MediaKeys::electric(int material) const {
  return electric(grid::LocalMedium{material, at(material).permittivity, at(material).conductivity});
}

MediumKey MediaKeys::electric_in_series(int material) const {
  const physics::Medium& m = at(material);
  return {m.permittivity, m.conductivity / vacuum_permittivity + debye_conductivity(m), 0};
}

MediumKey MediaKeys::magnetic(int material) const {
  const physics::Medium& m = at(at(material).perfect_conductor ? 0 : material);
  return {m.permeability, m.magnetic_conductivity / vacuum_permeability, 0};
}

bool MediaKeys::has_magnetic_media() const {
  return std::any_of(materials_.begin(), materials_.end(), [&](const physics::Medium& m) {
    return m.permeability != at(0).permeability || m.magnetic_conductivity != at(0).magnetic_conductivity;
  });
}

template PoleCoefficients<float> pole_coefficients(const physics::Pole&, double);
template PoleCoefficients<double> pole_coefficients(const physics::Pole&, double);
template MediumClass<float> medium_class(const MediumKey&, double);
template MediumClass<double> medium_class(const MediumKey&, double);

}  // namespace dgtd::fdtd
