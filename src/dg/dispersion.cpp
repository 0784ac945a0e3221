#include "dgtd/dg/dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"

namespace dgtd::dg {

namespace {

using physics::Pole;

// K, C1, C2 of a pole. Drude and Lorentz, P'' + f P' + e P = c E: with k = 1 / (1 + f dt/2 + e dt^2/4)
//   K = k,   C1 = k c dt^2 / 2,   C2 = k e dt^2 / 2,   c = omega_p^2 / eps_inf, f = Gamma, e = omega_0^2;
// Debye, P' = a E - b P: with k = 1 / (1 + b dt/2)
//   C1 = k a dt,   C2 = k b dt,   a = delta eps / (eps_inf tau), b = 1 / tau.
struct PoleUpdate {
  double K, C1, C2;
};
PoleUpdate update_of(const Pole& pole, double permittivity, double dt) {
  if (pole.type == Pole::Type::debye) {
    const double b = dt / pole.relaxation_time, k = 1 / (1 + b / 2);
    return {0, k * pole.strength / permittivity * b, k * b};
  }
  const double f = pole.damping * dt, e = std::pow(pole.resonance * dt, 2);
  const double k = 1 / (1 + f / 2 + e / 4);
  return {k, k * std::pow(pole.strength * dt, 2) / (2 * permittivity), k * e / 2};
}

std::uint8_t& count_of(PoleCounts& counts, Pole::Type type) {
  return type == Pole::Type::lorentz ? counts.lorentz : type == Pole::Type::drude ? counts.drude : counts.debye;
}

double conduction(const physics::Medium& m, double dt) {
  return m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
}

// The largest number that is at most x.
template <class Real>
Real rounded_down(double x) {
  const Real r = static_cast<Real>(x);
  return r > x ? std::nextafter(r, -std::numeric_limits<Real>::infinity()) : r;
}

}  // namespace

PoleCounts count_poles(const physics::Medium& medium) {
  PoleCounts counts;
  for (const Pole& pole : medium.poles) ++count_of(counts, pole.type);
  return counts;
}

// With rounded K, C1, C2 and D a step is that of a medium with the damping 1 - K - C2/2 and the conduction
// 1/D - 1 - sum C1/2 instead of its own; both must not become negative.
template <class Real>
std::vector<Real> pole_row(const physics::Medium& medium, const PoleCounts& most, double dt) {
  std::vector<Real> row(static_cast<std::size_t>(first_coefficient(most.poles())), Real(0));
  PoleCounts next{0, most.lorentz, static_cast<std::uint8_t>(most.lorentz + most.drude)};  // place of the next pole
  double sum = 1 + conduction(medium, dt);
  for (const Pole& pole : medium.poles) {
    std::uint8_t& place = pole.type == Pole::Type::lorentz ? next.lorentz
                          : pole.type == Pole::Type::drude ? next.drude
                                                           : next.debye;
    Real* const at = row.data() + first_coefficient(place++);
    const PoleUpdate update = update_of(pole, medium.permittivity, dt);
    at[0] = static_cast<Real>(update.K);
    at[1] = static_cast<Real>(update.C1);
    at[2] = static_cast<Real>(update.C2);
    while (at[0] > 0 && double(at[0]) + double(at[2]) / 2 > 1) at[2] = std::nextafter(at[2], Real(0));
    sum += double(at[1]) / 2;
  }
  row[factor_of_current] = rounded_down<Real>(1 / sum);
  row[factor_of_field] = 2 * (1 - row[factor_of_current]);
  return row;
}

double implicit_factor(const physics::Medium& medium, double dt) {
  double sum = 1 + conduction(medium, dt);
  for (const Pole& pole : medium.poles) sum += update_of(pole, medium.permittivity, dt).C1 / 2;
  return sum;
}

double longest_step_on_levels(const physics::Medium& medium, double lowest, double highest) {
  constexpr double most = 0.25;
  constexpr int samples = 200;
  double largest = 0;  // rad/s
  for (int i = 0; i <= samples && !medium.poles.empty(); ++i) {
    const double omega = lowest * std::pow(highest / lowest, double(i) / samples);
    largest =
        std::max(largest, omega * std::sqrt(std::abs(physics::permittivity(medium, omega)) / medium.permittivity));
  }
  return most / largest;
}

template std::vector<float> pole_row<float>(const physics::Medium&, const PoleCounts&, double);
template std::vector<double> pole_row<double>(const physics::Medium&, const PoleCounts&, double);

}  // namespace dgtd::dg
