#pragma once
// Time functions of sources, peak value one.
#include "dgtd/config/case.hpp"

namespace dgtd::physics {

/// sine:               sin(w t), t >= 0
/// ramped-sine:        sin(w t) times a rise sin^2(pi t / (2 T_r)) over ramp_periods periods T_r
/// modulated-gaussian: sin(w (t - t0)) exp(-(t - t0)^2 / (2 s^2)), s = sqrt(2 ln 2) / (pi bandwidth)
///                     (full width at half maximum of the amplitude spectrum), t0 = 5 s
/// All are zero for t < 0 (the pulse's start at t = 0 is exp(-12.5) of its peak).
double waveform(const config::Waveform& w, double time);

}  // namespace dgtd::physics
