#pragma once
// A waveform after a way on which it is slowed down as by the leap-frog scheme.
#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

/// Envelope of a waveform and its second and third derivative in time, at a time >= 0.
struct Envelope {
  double value = 1, second = 0, third = 0;  // 1, 1/s^2, 1/s^3
};

DGTD_HOST_DEVICE Envelope envelope_of(const WaveformShape& w, double time) {
  using Type = Waveform::Type;
  if (w.type == Type::modulated_gaussian) {
    const double u = (time - 5 * w.spread) / w.spread, a = ::exp(-u * u / 2), s = w.spread;
    return {a, (u * u - 1) * a / (s * s), (3 - u * u) * u * a / (s * s * s)};
  }
  if (w.type == Type::ramped_sine && time < w.rise) {  // sin^2(q t / 2) = (1 - cos(q t)) / 2
    const double q = pi / w.rise, cosine = ::cos(q * time);
    return {(1 - cosine) / 2, q * q / 2 * cosine, -q * q * q / 2 * ::sin(q * time)};
  }
  return {};
}

/// The waveform at the end of a way that takes `delay` (s, not negative) in the exact solution, in a scheme that is
/// exact in space and takes leap-frog steps of dt (s) in time. There a wave has the wave number
///   c k(w) = 2 / dt sin(w dt / 2) = w - dt^2 w^3 / 24 + ...,   so   g(t) = f(t - d) - dt^2 d / 24 f'''(t - d) + ...
/// For f = a(t) sin(w t) the carrier's phase is exact, and so is the delay of the envelope d c k'(w) = d cos(w dt / 2);
/// what bends the envelope has the terms of first order in e = dt^2 d / 24:
///   g = (a - e a''') sin p - 3 e w a'' cos p,   p = w t - c k(w) d,   a and its derivatives at t - d cos(w dt / 2).
DGTD_HOST_DEVICE double delayed_value(const WaveformShape& w, double time, double delay, double dt) {
  const double carrier = w.angular_frequency, half = 0.5 * carrier * dt, t = time - delay * ::cos(half);
  if (t < 0) return 0;
  const double of_scheme = dt > 0 ? 2 / dt * ::sin(half) : carrier;  // c k(w), rad/s
  const double start = w.type == Waveform::Type::modulated_gaussian ? 5 * w.spread : 0;
  const double phase = carrier * (time - delay - start) - w.phase + (carrier - of_scheme) * delay;
  const double e = dt * dt * delay / 24;
  const Envelope a = envelope_of(w, t);
  return (a.value - e * a.third) * ::sin(phase) - 3 * e * carrier * a.second * ::cos(phase);
}

}  // namespace dgtd::physics
