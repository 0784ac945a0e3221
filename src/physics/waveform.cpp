#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

WaveformShape shape_of(const config::Waveform& w) {
  WaveformShape shape{w.type, 2 * pi * w.frequency, 0, 1};
  if (w.type == config::Waveform::Type::ramped_sine) shape.rise = w.ramp_periods / w.frequency;
  if (w.type == config::Waveform::Type::modulated_gaussian)
    shape.spread = std::sqrt(2 * std::log(2.0)) / (pi * w.bandwidth);
  return shape;
}

}  // namespace dgtd::physics
