#include "dgtd/physics/gaussian_beam.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::physics {
namespace {

/// Gradients of the amplitude (1/m) and of the phase (rad/m) at a point.
struct Gradients {
  Vec3 amplitude, phase;
};
Gradients gradients(const GaussianBeam& beam, const Vec3& x) {
  const double step = 1e-3 * beam.waist;
  Gradients g;
  for (int a = 0; a < 3; ++a) {
    Vec3 before = x, after = x;
    before[a] -= step, after[a] += step;
    const auto [z0, r0] = beam.place(before);
    const auto [z1, r1] = beam.place(after);
    g.amplitude[a] = (beam.amplitude(z1, r1) - beam.amplitude(z0, r0)) / (2 * step);
    g.phase[a] = beam.angular_frequency * (beam.delay(z1, r1) - beam.delay(z0, r0)) / (2 * step);
  }
  return g;
}

/// (real + i imaginary) exp(i (phase - w t)) as an amplitude and a lead.
void set_component(double real, double imaginary, double angular_frequency, double& amplitude, double& lead) {
  amplitude = std::copysign(std::hypot(real, imaginary), real);
  lead = -std::atan2(std::copysign(1.0, real) * imaginary, std::abs(real)) / angular_frequency;
}

}  // namespace

std::pair<double, double> GaussianBeam::place(const Vec3& x) const {
  const Vec3 from_focus = x - focus;
  const double z = dot(from_focus, direction);
  return {z, std::max(0.0, dot(from_focus, from_focus) - z * z)};
}

double GaussianBeam::radius(double z) const { return waist * std::hypot(1, z / rayleigh_length()); }

double GaussianBeam::amplitude(double z, double square_of_r) const {
  return waist / radius(z) * std::exp(-square_of_r / (radius(z) * radius(z)));
}

double GaussianBeam::delay(double z, double square_of_r) const {
  const double zr = rayleigh_length();
  return slowness * (z + 0.5 * square_of_r * z / (z * z + zr * zr)) - std::atan(z / zr) / angular_frequency;
}

double GaussianBeam::earliest(double z) const {
  const double reach = radius(z) * std::sqrt(std::log(1e3));
  return std::min(delay(z, 0), delay(z, reach * reach));
}

// With u = A exp(i phase) the scalar beam and s its direction, E = u p + s (i / k) p . grad u, and H is that with the
// plane wave's H in place of p.
WaveAtPoint GaussianBeam::field(const Vec3& x, const Vec3& polarisation, const Vec3& magnetic) const {
  const auto [z, square_of_r] = place(x);
  const double of_beam = amplitude(z, square_of_r), k = slowness * angular_frequency;
  const Gradients g = gradients(*this, x);
  WaveAtPoint at{{}, {}, delay(z, square_of_r), {}, {}};
  const auto set = [&](const Vec3& v, Vec3& component, Vec3& lead) {
    for (int c = 0; c < 3; ++c)
      set_component(of_beam * (v[c] - direction[c] / k * dot(v, g.phase)), direction[c] / k * dot(v, g.amplitude),
                    angular_frequency, component[c], lead[c]);
  };
  set(polarisation, at.electric, at.electric_lead);
  set(magnetic, at.magnetic, at.magnetic_lead);
  return at;
}

}  // namespace dgtd::physics
