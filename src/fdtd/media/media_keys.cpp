#include "fdtd/media/media_keys.hpp"

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/update_coefficients.hpp"

namespace dgtd::fdtd {
namespace {

bool is_critical(const physics::Pole& p) { return p.type == physics::Pole::Type::critical_point; }
bool is_resonant(const physics::Pole& p) { return p.type == physics::Pole::Type::lorentz || is_critical(p); }

int most(int before, const physics::Medium& m, bool (*is)(const physics::Pole&)) {
  return std::max(before, static_cast<int>(std::count_if(m.poles.begin(), m.poles.end(), is)));
}

// Poles' share of the conductivity, over eps0, 1/s.
double conductivity_of_poles(const physics::Medium& m) {
  double conductivity = 0;
  for (const auto& p : m.poles) conductivity += physics::conductivity_of_pole(p);
  return conductivity;
}

}  // namespace

PoleSets pole_sets(const std::vector<physics::Medium>& materials) {
  PoleSets s;
  for (const auto& m : materials) {
    s.of_material.push_back(m.poles.empty() ? 0 : static_cast<int>(s.sets.size()));
    if (m.poles.empty()) continue;
    s.sets.push_back(m.poles);
    auto& set = s.sets.back();
    std::stable_partition(set.begin(), std::stable_partition(set.begin(), set.end(), is_resonant), is_critical);
    s.most_poles = std::max(s.most_poles, static_cast<int>(m.poles.size()));
    s.most_resonant = most(s.most_resonant, m, is_resonant);
    s.most_critical = most(s.most_critical, m, is_critical);
  }
  return s;
}

template <class Real>
PoleCoefficients<Real> pole_coefficients(const physics::Pole& pole, double dt) {
  const auto [Ja, Jb, Jc, Jd] = physics::pole_coefficients(pole, dt);
  return {static_cast<Real>(Ja), static_cast<Real>(Jb), static_cast<Real>(Jc), static_cast<Real>(Jd)};
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
  return {m.permittivity, m.conductivity / vacuum_permittivity + conductivity_of_poles(at(m.material)),
          sets_.of_material[static_cast<std::size_t>(m.material)]};
}

MediumKey MediaKeys::electric(int material) const {
  return electric(grid::LocalMedium{material, at(material).permittivity, at(material).conductivity});
}

MediumKey MediaKeys::electric_in_series(int material) const {
  const physics::Medium& m = at(material);
  return {m.permittivity, m.conductivity / vacuum_permittivity + conductivity_of_poles(m), 0};
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
