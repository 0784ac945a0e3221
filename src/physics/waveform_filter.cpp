#include "dgtd/physics/waveform_filter.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {

namespace {

// Half-maximum points are half the bandwidth from the carrier.
double spectrum_of(const Waveform& w, double frequency) {
  const double x = (frequency - w.frequency) / (0.5 * w.bandwidth);
  return std::exp(-std::log(2.0) * x * x);
}

}  // namespace

std::vector<DelayedCopy> delayed_copies(const Waveform& w,
                                        const std::function<std::complex<double>(double)>& response) {
  if (w.type != Waveform::Type::modulated_gaussian) {
    const std::complex<double> value = response(w.frequency);
    return {{std::abs(value), -std::arg(value) / (2 * pi * w.frequency)}};
  }
  // Frequencies up to where the spectrum ends, beyond which copies a quarter of the shortest period apart say nothing.
  constexpr int copies = 13, samples = 400;
  constexpr double floor = 1e-3;  // of the weights, so that factors stay of the response's size
  const double highest = w.frequency + 1.5 * w.bandwidth, apart = 0.25 / highest;
  Eigen::MatrixXd matrix(2 * samples, copies);
  Eigen::VectorXd right(2 * samples);
  for (int i = 0; i < samples; ++i) {
    const double frequency = highest * (i + 0.5) / samples, weight = spectrum_of(w, frequency) + floor;
    const std::complex<double> value = response(frequency);
    right(2 * i) = weight * value.real(), right(2 * i + 1) = weight * value.imag();
    for (int k = 0; k < copies; ++k) {
      const double phase = -2 * pi * frequency * apart * (k - copies / 2);
      matrix(2 * i, k) = weight * std::cos(phase), matrix(2 * i + 1, k) = weight * std::sin(phase);
    }
  }
  const Eigen::VectorXd factors = matrix.colPivHouseholderQr().solve(right);
  std::vector<DelayedCopy> list;
  for (int k = 0; k < copies; ++k) list.push_back({factors(k), apart * (k - copies / 2)});
  return list;
}

}  // namespace dgtd::physics
