#include "dgtd/physics/medium.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

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

}  // namespace

// Maxwell-Ampere's law with the current sigma E: eps + i sigma / (omega eps0).
Complex permittivity(const Medium& medium, double angular_frequency) {
  assert(angular_frequency > 0);
  Complex eps = medium.permittivity + i * (medium.conductivity / (angular_frequency * vacuum_permittivity));
  for (const Pole& pole : medium.poles) eps += term(pole, angular_frequency);
  return eps;
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
