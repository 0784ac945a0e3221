#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

WaveformShape shape_of(const physics::Waveform& w) {
  WaveformShape shape{w.type, 2 * pi * w.frequency, 0, 1};
  if (w.type == physics::Waveform::Type::ramped_sine) shape.rise = w.ramp_periods / w.frequency;
  if (w.type == physics::Waveform::Type::modulated_gaussian)
    shape.spread = std::sqrt(2 * std::log(2.0)) / (pi * w.bandwidth);
  return shape;
}

}  // namespace dgtd::physics
