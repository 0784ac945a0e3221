#include "fdtd/discretisation/grid_wave.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::fdtd {

// The scheme's dispersion relation, sum_a (sin(k_a d_a / 2) / d_a)^2 = (n sin(w dt / 2) / (c dt))^2, solved by
// Newton's method from k = n w / c (Taflove, Hagness 2005, sec. 4.2).
GridWave grid_wave(const grid::Setup& setup, const physics::Source& source, const Vec3& direction,
                   const std::array<std::int64_t, 3>& cell, double dt) {
  const double permittivity = setup.materials.front().permittivity, permeability = setup.materials.front().permeability;
  const double omega = 2 * pi * source.waveform.frequency;
  const Vec3& polarisation = source.polarisation;
  Vec3 spacing;
  for (int a = 0; a < 3; ++a) spacing[a] = setup.grid.spacing[a][static_cast<std::size_t>(cell[a])];
  const double index = std::sqrt(permittivity * permeability);
  const double right = index * std::sin(0.5 * omega * dt) / (speed_of_light * dt);
  double k = index * omega / speed_of_light;
  for (int iteration = 0; iteration < 20; ++iteration) {
    double left = 0, slope = 0;
    for (int a = 0; a < 3; ++a) {
      const double phase = 0.5 * k * direction[a] * spacing[a];
      left += std::pow(std::sin(phase) / spacing[a], 2);
      slope += std::sin(phase) * std::cos(phase) * direction[a] / spacing[a];
    }
    if (slope == 0) break;
    k -= (left - right * right) / slope;
  }
  Vec3 wave;
  for (int a = 0; a < 3; ++a) wave[a] = 2 / spacing[a] * std::sin(0.5 * k * direction[a] * spacing[a]);
  const double frequency = 2 / dt * std::sin(0.5 * omega * dt);
  // The scheme's divergence of E is wave . E, and zero.
  const double square = dot(wave, wave);
  const Vec3 normal = square > 0 ? polarisation - dot(wave, polarisation) / square * wave : polarisation;
  const Vec3 electric = normal / norm(normal);
  return {k / omega, electric, speed_of_light / (permeability * frequency) * cross(wave, electric)};
}

}  // namespace dgtd::fdtd
