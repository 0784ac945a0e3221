#pragma once
// Time functions of sources, peak value one.
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/host_device.hpp"

namespace dgtd::physics {

struct Waveform {
  enum class Type { sine, ramped_sine, modulated_gaussian };
  Type type = Type::sine;
  double frequency = 0;     // Hz, carrier
  double ramp_periods = 2;  // ramped-sine: length of the rise
  double bandwidth = 0;     // modulated-gaussian: full width at half maximum of the amplitude spectrum, Hz

  bool operator==(const Waveform&) const = default;
};

/// A waveform as the executors take it.
struct WaveformShape {
  Waveform::Type type = Waveform::Type::sine;
  double angular_frequency = 0;  // rad/s
  double rise = 0;               // s, of the ramped sine
  double spread = 1;             // s, standard deviation of the pulse
  double phase = 0;              // rad, by which the carrier lags, and the envelope does not
};

/// sine:               sin(w t), t >= 0
/// ramped-sine:        sin(w t) times a rise sin^2(pi t / (2 T_r)) over ramp_periods periods T_r
/// modulated-gaussian: sin(w (t - t0)) exp(-(t - t0)^2 / (2 s^2)), s = sqrt(2 ln 2) / (pi bandwidth)
///                     (full width at half maximum of the amplitude spectrum), t0 = 5 s
/// All are zero for t < 0 (the pulse's start at t = 0 is exp(-12.5) of its peak).
WaveformShape shape_of(const Waveform& w);

DGTD_HOST_DEVICE double value(const WaveformShape& w, double time) {
  using Type = Waveform::Type;
  if (time < 0) return 0;
  if (w.type == Type::modulated_gaussian) {
    const double t = time - 5 * w.spread;
    return ::sin(w.angular_frequency * t - w.phase) * ::exp(-t * t / (2 * w.spread * w.spread));
  }
  const double s = w.type == Type::ramped_sine && time < w.rise ? ::sin(pi * time / (2 * w.rise)) : 1;
  return s * s * ::sin(w.angular_frequency * time - w.phase);
}

inline double waveform(const Waveform& w, double time) { return value(shape_of(w), time); }

}  // namespace dgtd::physics
