#pragma once
// A filtered waveform as a sum of delayed copies of it, for sources whose parts are of different spectra.
#include <complex>
#include <functional>
#include <utility>
#include <vector>

#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

struct DelayedCopy {
  double factor, delay;  // s
};

/// sum_k factor_k exp(-i omega delay_k) is near response(frequency) over the waveform's spectrum: exactly that at the
/// carrier where the waveform has no bandwidth, else by least squares weighted with the spectrum, with
/// delays around zero.
[[gnu::visibility("default")]] std::vector<DelayedCopy> delayed_copies(
    const Waveform& waveform,
    const std::function<std::complex<double>(double frequency)>& response);

/// The sum of the copies over time, s.
inline std::function<double(double time)> filtered(const WaveformShape& shape, std::vector<DelayedCopy> copies) {
  return [shape, copies = std::move(copies)](double time) {
    double sum = 0;
    for (const DelayedCopy& copy : copies) sum += copy.factor * value(shape, time - copy.delay);
    return sum;
  };
}

}  // namespace dgtd::physics
