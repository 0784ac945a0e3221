#include "dgtd/dg/dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"

namespace dgtd::dg {

namespace {

using physics::Pole;

// K, C1, C2, C3 of a pole. Second order, P'' + f P' + e P = c E + d E': with k = 1 / (1 + f dt/2 + e dt^2/4)
//   K = k,   C1 = k (c dt/2 + d) dt,   C2 = k e dt^2 / 2,   C3 = 2 d dt,   c and d over eps_inf;
// Debye, P' = a E - b P: with k = 1 / (1 + b dt/2)
//   C1 = k a dt,   C2 = k b dt,   a = delta eps / (eps_inf tau), b = 1 / tau.
struct PoleUpdate {
  double K, C1, C2, C3;
};
PoleUpdate update_of(const Pole& pole, double permittivity, double dt) {
  if (pole.type == Pole::Type::debye) {
    const double b = dt / pole.relaxation_time, k = 1 / (1 + b / 2);
    return {0, k * pole.strength / permittivity * b, k * b, 0};
  }
  if (pole.type == Pole::Type::critical_point) {
    const auto [c, d, f, e] = physics::second_order(pole);
    const double k = 1 / (1 + f * dt / 2 + e * dt * dt / 4);
    return {k, k * (c * dt / 2 + d) * dt / permittivity, k * e * dt * dt / 2, 2 * d * dt / permittivity};
  }
  const double f = pole.damping * dt, e = std::pow(pole.resonance * dt, 2);
  const double k = 1 / (1 + f / 2 + e / 4);
  return {k, k * std::pow(pole.strength * dt, 2) / (2 * permittivity), k * e / 2, 0};
}

std::uint8_t& count_of(PoleCounts& counts, Pole::Type type) {
  switch (type) {
    case Pole::Type::lorentz: return counts.lorentz;
    case Pole::Type::drude: return counts.drude;
    case Pole::Type::critical_point: return counts.critical;
    case Pole::Type::debye: break;
  }
  return counts.debye;
}

// Whether a pole is passive by itself, so that it stores energy: c f >= d e, d >= 0.
bool stores_energy(const Pole& pole) {
  if (pole.type != Pole::Type::critical_point) return true;
  const auto [c, d, f, e] = physics::second_order(pole);
  return c > 0 && d >= 0 && c * f >= d * e;
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
  std::vector<Real> row(static_cast<std::size_t>(reals_of_row(most)), Real(0));
  PoleCounts next;  // place of the next pole
  next.drude = most.lorentz, next.debye = static_cast<std::uint8_t>(most.lorentz + most.drude);
  next.critical = static_cast<std::uint8_t>(next.debye + most.debye);
  double sum = 1 + conduction(medium, dt);
  for (const Pole& pole : medium.poles) {
    const int place = count_of(next, pole.type)++;
    Real* const at = row.data() + first_coefficient(place);
    const PoleUpdate update = update_of(pole, medium.permittivity, dt);
    at[0] = static_cast<Real>(update.K);
    at[1] = static_cast<Real>(update.C1);
    at[2] = static_cast<Real>(update.C2);
    while (at[0] > 0 && double(at[0]) + double(at[2]) / 2 > 1) at[2] = std::nextafter(at[2], Real(0));
    if (pole.type == Pole::Type::critical_point)
      row[static_cast<std::size_t>(C3_coefficient(most, place))] = static_cast<Real>(update.C3);
    sum += double(at[1]) / 2;
  }
  row[factor_of_current] = rounded_down<Real>(1 / sum);
  row[factor_of_field] = 2 * (1 - row[factor_of_current]);
  if (most.critical > 0)
    row[static_cast<std::size_t>(energy_known(most))] =
        std::all_of(medium.poles.begin(), medium.poles.end(), stores_energy) ? Real(1) : Real(0);
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
