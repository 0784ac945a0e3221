#include "dgtd/physics/waveform.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {

double waveform(const config::Waveform& w, double time) {
  if (time < 0) return 0;
  const double omega = 2 * pi * w.frequency;
  switch (w.type) {
    case config::Waveform::Type::sine: return std::sin(omega * time);
    case config::Waveform::Type::ramped_sine: {
      const double rise = w.ramp_periods / w.frequency;
      const double s = time < rise ? std::sin(pi * time / (2 * rise)) : 1;
      return s * s * std::sin(omega * time);
    }
    case config::Waveform::Type::modulated_gaussian: {
      const double s = std::sqrt(2 * std::log(2.0)) / (pi * w.bandwidth), t = time - 5 * s;
      return std::sin(omega * t) * std::exp(-t * t / (2 * s * s));
    }
  }
  return 0;
}

}  // namespace dgtd::physics
