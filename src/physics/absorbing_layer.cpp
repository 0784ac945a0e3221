#include "dgtd/physics/absorbing_layer.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {

LayerProfile best_profile(int strata, double thickness, double speed, std::span<const double> w) {
  LayerProfile best;
  double least = std::numeric_limits<double>::infinity();
  for (const int power : {1, 2, 3})
    for (const double from_mirror : {0.3, 0.2, 0.1, 0.05, 0.02, 1e-2, 1e-3, 1e-4, 1e-5}) {
      const LayerProfile profile{power, from_mirror};
      const auto rates = rates_of_strata(profile, strata, thickness, speed);
      double largest = 0;
      for (const double frequency : w)
        for (const double angle : layer_angles)
          largest = std::max(largest, reflection(rates, thickness / strata, speed, frequency, angle * pi / 180));
      if (largest < least) least = largest, best = profile;
    }
  return best;
}

std::vector<double> rates_of_strata(const LayerProfile& profile, int strata, double thickness, double speed) {
  std::vector<double> rates;
  const double mean = std::log(1 / profile.reflection) * speed / (2 * thickness);
  const auto below = [&](int k) { return std::pow(double(k) / strata, profile.power + 1); };
  for (int k = 0; k < strata; ++k) rates.push_back(mean * strata * (below(k + 1) - below(k)));
  return rates;
}

// In a stratum eps and mu are those of the medium times s = 1 + S / (i w) along it, and its own across, so for exp(i w
// t)
//   k_z^2 = s^2 k^2 - s k_x^2,   Z = s k / k_z  (E along the layer; H along it: the inverse),
// and the input impedance of one stratum after the other gives the reflection.
double reflection(std::span<const double> rates, double stratum, double speed, double w, double angle) {
  using Complex = std::complex<double>;
  const Complex i(0, 1);
  const double k = w / speed, kx = k * std::sin(angle), outside = 1 / std::cos(angle);
  Complex impedance = 1;
  for (auto rate = rates.rbegin(); rate != rates.rend(); ++rate) {
    const Complex s = 1.0 - i * *rate / w;
    Complex kz = std::sqrt(s * s * k * k - s * kx * kx);
    if (kz.imag() > 0) kz = -kz;
    const Complex own = s * k / kz, back = std::exp(-2.0 * i * kz * stratum);  // |back| <= 1
    const Complex at_end = (impedance - own) / (impedance + own) * back;
    impedance = own * (1.0 + at_end) / (1.0 - at_end);
  }
  return std::abs((impedance - outside) / (impedance + outside));
}

}  // namespace dgtd::physics
