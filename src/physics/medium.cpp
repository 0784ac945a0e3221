#include "dgtd/physics/medium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::physics {
namespace {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};

// Bohren and Huffman, Absorption and Scattering of Light by Small Particles (1983). Section 9.1, Lorentz:
// omega_p^2 / (omega_0^2 - omega^2 - i omega Gamma); 9.4, Drude's free electrons: the same with
// omega_0 = 0; 9.5, Debye's relaxation: delta eps / (1 - i omega tau).
Complex term(const Pole& pole, double omega) {
  if (pole.type == Pole::Type::critical_point) {
    const auto [c, d, f, e] = second_order(pole);
    return (c - i * omega * d) / (e - omega * omega - i * omega * f);
  }
  if (pole.type == Pole::Type::debye) return pole.strength / (1.0 - i * omega * pole.relaxation_time);
  const double resonance = pole.type == Pole::Type::lorentz ? pole.resonance : 0;
  return pole.strength * pole.strength / (resonance * resonance - omega * omega - i * omega * pole.damping);
}

// Where Im eps may dip: the whole band evenly on a logarithmic scale, and each pole's own line.
std::vector<double> samples_of_band(const std::vector<Pole>& poles, double lowest, double highest) {
  constexpr int count = 2000, steps_a_width = 8, widths = 4;
  std::vector<double> samples;
  for (int s = 0; s <= count; ++s) samples.push_back(lowest * std::pow(highest / lowest, double(s) / count));
  for (const Pole& pole : poles) {
    const bool debye = pole.type == Pole::Type::debye;
    const double centre = debye ? 1 / pole.relaxation_time : pole.resonance,
                 width = debye ? centre : std::abs(pole.damping);
    for (int s = -widths * steps_a_width; s <= widths * steps_a_width; ++s) {
      const double omega = centre + s * width / steps_a_width;
      if (omega >= lowest && omega <= highest) samples.push_back(omega);
    }
  }
  return samples;
}

bool is_critical(const Pole& pole) { return pole.type == Pole::Type::critical_point; }

// omega Im eps of conduction and poles as a leap-frog with the step dt has it, and the sum of its terms' absolute
// values, rad/s; dt = 0: of the medium itself.
std::pair<double, double> losses(const Medium& medium, double omega, double dt) {
  const double C = std::cos(omega * dt / 2), w = dt > 0 ? 2 / dt * std::sin(omega * dt / 2) : omega;
  std::pair<double, double> sum{medium.conductivity / vacuum_permittivity, medium.conductivity / vacuum_permittivity};
  const auto add = [&](double term) { sum.first += term, sum.second += std::abs(term); };
  for (const Pole& pole : medium.poles) {
    if (pole.type == Pole::Type::debye) {
      const double b = 1 / pole.relaxation_time;
      add(pole.strength * b * w * w * (1 - b * b * dt * dt / 4) / (w * w + b * b * C * C));
      continue;
    }
    const auto [c, d, f, e] = second_order(pole);
    const double factor = w * w / (std::pow(e - w * w, 2) + std::pow(f * w * C, 2));
    add(factor * c * f), add(-factor * d * e), add(factor * d * w * w * (1 - f * f * dt * dt / 4));
  }
  return sum;
}

// Frequencies, rad/s, between which a sum of poles changes, with a margin: below and above Im eps is its first term in
// omega or in 1 / omega.
std::pair<double, double> band_of_poles(const std::vector<Pole>& poles) {
  constexpr double margin = 1e4;
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  const auto add = [&](double omega) {
    if (omega > 0) lowest = std::min(lowest, omega), highest = std::max(highest, omega);
  };
  for (const Pole& pole : poles) {
    add(pole.damping), add(pole.resonance);
    if (pole.type == Pole::Type::debye) add(1 / pole.relaxation_time);
  }
  return {lowest / margin, highest * margin};
}

}  // namespace

// With q = -Gamma - i Omega and r = i A Omega exp(i phi) a critical point is r / (s - q) and its conjugate:
//   c = -2 Re(r conj q),   d = 2 Re r,   f = -2 Re q,   e = |q|^2.
SecondOrder second_order(const Pole& pole) {
  assert(pole.type != Pole::Type::debye);
  const double omega = pole.resonance, gamma = pole.damping;
  if (pole.type != Pole::Type::critical_point)
    return {pole.strength * pole.strength, 0, gamma, pole.type == Pole::Type::lorentz ? omega * omega : 0};
  const double factor = 2 * pole.strength * omega;
  return {factor * (omega * std::cos(pole.phase) - gamma * std::sin(pole.phase)), -factor * std::sin(pole.phase),
          2 * gamma, gamma * gamma + omega * omega};
}

// Maxwell-Ampere's law with the current sigma E: eps + i sigma / (omega eps0).
Complex permittivity(const Medium& medium, double angular_frequency) {
  assert(angular_frequency > 0);
  Complex eps = medium.permittivity + i * (medium.conductivity / (angular_frequency * vacuum_permittivity));
  for (const Pole& pole : medium.poles) eps += term(pole, angular_frequency);
  return eps;
}

double length_of_variation(const Medium& medium, double frequency) {
  return speed_of_light / frequency /
         std::abs(std::sqrt(permittivity(medium, 2 * pi * frequency) * medium.permeability));
}

double conductivity(const Medium& medium, double angular_frequency) {
  return angular_frequency * vacuum_permittivity * permittivity(medium, angular_frequency).imag();
}

void check_passive(const std::string& material, const Medium& medium, double lowest, double highest) {
  assert(lowest > 0 && lowest <= highest);
  Complex worst = 0;
  double worst_frequency = 0;  // rad/s
  for (const double omega : samples_of_band(medium.poles, lowest, highest)) {
    const Complex eps = permittivity(medium, omega);
    if (!(eps.imag() < worst.imag())) continue;
    worst = eps;
    worst_frequency = omega;
  }
  if (worst.imag() < 0)
    throw Error(
        fmt::format("material '{}': permittivity {:.6g} {:+.6g}i at {:.6g} rad/s: the imaginary part must not be "
                    "negative between {:.6g} and {:.6g} rad/s (a passive material)",
                    material, worst.real(), worst.imag(), worst_frequency, lowest, highest));
}

// w_d = 2 / dt sin(w dt / 2) and cos(w dt / 2) are w and 1 of a leap-frog. The limit of high frequencies is that of the
// medium itself, sigma / eps0 + sum d + sum of the Debye poles' delta eps / tau.
void check_critical_points(const std::string& material, const Medium& medium, double dt) {
  if (std::none_of(medium.poles.begin(), medium.poles.end(), is_critical)) return;
  const auto refuse = [&](double loss, const std::string& where) {
    throw Error(fmt::format(
        "material '{}': the sum of its poles has omega Im eps = {:.6g} rad/s {}{}: it must not be negative at any "
        "frequency (a passive material)",
        material, loss, where,
        dt > 0 ? fmt::format(", with the time step of {:.4g} s; decrease solver.cfl_fraction", dt) : ""));
  };
  const auto [lowest, highest] = band_of_poles(medium.poles);
  if (const auto [sum, size] = losses(medium, 1e3 * highest, 0); sum < -1e-12 * size)
    refuse(sum, "at high frequencies");
  for (const double omega : samples_of_band(medium.poles, lowest, dt > 0 ? std::min(highest, pi / dt) : highest))
    if (const auto [sum, size] = losses(medium, omega, dt); sum < -1e-12 * size)
      refuse(sum, fmt::format("at {:.6g} rad/s", omega));
}

std::vector<Pole> gold_poles() {
  struct Row {
    double resonance, strength, damping;  // 1e16, 1e16, 1e15 rad/s
  };
  constexpr Row rows[] = {{0, 1.1959, 0.0805},      {0.0630, 0.2125, 0.3661}, {0.1261, 0.1372, 0.5241},
                          {0.4510, 0.3655, 1.3216}, {0.6538, 1.0634, 3.7887}, {2.0235, 2.8722, 3.3633}};
  std::vector<Pole> poles;
  for (const Row& row : rows) {
    const auto type = row.resonance == 0 ? Pole::Type::drude : Pole::Type::lorentz;
    poles.push_back({type, row.strength * 1e16, row.resonance * 1e16, row.damping * 1e15, 0});
  }
  return poles;
}

}  // namespace dgtd::physics
