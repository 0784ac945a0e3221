#include "dgtd/physics/guide_mode.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {

namespace {

double bessel_derivative(int order, double x) {
  if (order == 0) return -std::cyl_bessel_j(1, x);
  return 0.5 * (std::cyl_bessel_j(order - 1, x) - std::cyl_bessel_j(order + 1, x));
}

// The number'th positive zero of J_order or, for TE modes, of its derivative: steps that no two zeros fit into (they
// are at least 2 apart), then bisection.
double bessel_zero(GuideMode::Kind kind, int order, int number) {
  const auto f = [&](double x) {
    return kind == GuideMode::Kind::te ? bessel_derivative(order, x) : std::cyl_bessel_j(order, x);
  };
  constexpr double step = 0.25;
  double low = step;  // below the first zero, which is 1.84 or more
  for (int found = 0;; low += step) {
    if ((f(low) < 0) == (f(low + step) < 0)) continue;
    if (++found == number) break;
  }
  double high = low + step;
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    ((f(low) < 0) == (f(middle) < 0) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

bool has_mode(Port::Section section, const GuideMode& mode) {
  const bool te = mode.kind == GuideMode::Kind::te;
  if (section == Port::Section::circle) return mode.second >= 1;
  return te ? mode.first + mode.second > 0 : mode.first > 0 && mode.second > 0;
}

double cut_off_wave_number(Port::Section section, const GuideMode& mode, const double (&size)[2]) {
  if (section == Port::Section::circle) return bessel_zero(mode.kind, mode.first, mode.second) / (0.5 * size[0]);
  return std::hypot(mode.first * pi / size[0], mode.second * pi / size[1]);
}

double mode_potential(Port::Section section, const GuideMode& mode, const double (&size)[2], double u, double v) {
  if (section == Port::Section::circle) {
    const double k = cut_off_wave_number(section, mode, size);
    return std::cyl_bessel_j(mode.first, k * std::hypot(u, v)) * std::cos(mode.first * std::atan2(v, u));
  }
  const double p = mode.first * pi * (u / size[0] + 0.5), q = mode.second * pi * (v / size[1] + 0.5);
  return mode.kind == GuideMode::Kind::te ? std::cos(p) * std::cos(q) : std::sin(p) * std::sin(q);
}

}  // namespace dgtd::physics
