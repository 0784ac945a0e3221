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

std::vector<Stratum> convolutional_strata(std::span<const double> rates, double alpha, double loss) {
  std::vector<Stratum> strata;
  const auto count = double(rates.size());
  for (std::size_t k = 0; k < rates.size(); ++k)
    strata.push_back({rates[k], alpha * (1 - (double(k) + 0.5) / count), loss * rates[k]});
  return strata;
}

LayerProfile convolutional_profile(double wavelengths) {
  return wavelengths < 0.95   ? LayerProfile{1, 1e-2}
         : wavelengths < 1.45 ? LayerProfile{2, 1e-2}
         : wavelengths < 1.8  ? LayerProfile{2, 1e-3}
         : wavelengths < 2.7  ? LayerProfile{2, 1e-4}
                              : LayerProfile{3, 1e-5};
}

namespace {

using Complex = std::complex<double>;

// A homogeneous layer: k_z, and its impedance over that of the medium at normal incidence.
struct Homogeneous {
  Complex kz, impedance;
};

// The input impedance of one after the other, from the outermost one, gives the reflection.
template <class Layers>
double reflection_of(const Layers& from_outside, double stratum, double angle) {
  const double outside = 1 / std::cos(angle);
  Complex impedance = 1;
  for (Homogeneous layer : from_outside) {
    if (layer.kz.imag() > 0) layer.kz = -layer.kz, layer.impedance = -layer.impedance;
    const Complex back = std::exp(-2.0 * Complex(0, 1) * layer.kz * stratum);  // |back| <= 1
    const Complex at_end = (impedance - layer.impedance) / (impedance + layer.impedance) * back;
    impedance = layer.impedance * (1.0 + at_end) / (1.0 - at_end);
  }
  return std::abs((impedance - outside) / (impedance + outside));
}

}  // namespace

// In a stratum eps and mu are those of the medium times s = 1 + S / (i w) along it, and its own across, so for exp(i w
// t)
//   k_z^2 = s^2 k^2 - s k_x^2,   Z = s k / k_z  (E along the layer; H along it: the inverse).
double reflection(std::span<const double> rates, double stratum, double speed, double w, double angle) {
  const double k = w / speed, kx = k * std::sin(angle);
  std::vector<Homogeneous> layers;
  for (auto rate = rates.rbegin(); rate != rates.rend(); ++rate) {
    const Complex s(1, -*rate / w), kz = std::sqrt(s * s * k * k - s * kx * kx);
    layers.push_back({kz, s * k / kz});
  }
  return reflection_of(layers, stratum, angle);
}

// With s l along and l / s across it, k_z^2 = s^2 (l^2 k^2 - k_x^2), Z = s l k / k_z.
double reflection(std::span<const Stratum> strata, double stratum, double speed, double w, double angle) {
  const double k = w / speed, kx = k * std::sin(angle);
  std::vector<Homogeneous> layers;
  for (auto of = strata.rbegin(); of != strata.rend(); ++of) {
    const Complex s = 1.0 + of->rate / Complex(of->alpha, w), l(1, -of->loss / w);
    Complex across = std::sqrt(l * l * k * k - kx * kx);  // k_z / s, of a wave outwards
    if (across.imag() > 0) across = -across;
    layers.push_back({s * across, l * k / across});
  }
  return reflection_of(layers, stratum, angle);
}

}  // namespace dgtd::physics
