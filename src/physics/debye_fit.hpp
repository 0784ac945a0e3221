#pragma once
// A measured or tabulated permittivity as what a time-domain method can carry: Debye poles with static conductivity.
#include <functional>

#include "dgtd/physics/medium.hpp"

namespace dgtd::physics {

/// Relative permittivity at an angular frequency (rad/s), for the time factor exp(-i omega t).
using Permittivity = std::function<std::complex<double>(double)>;

/// The least squares of |fit - eps| / |eps| over the band [lowest, highest] (rad/s), evenly on a logarithmic scale,
/// with at most `poles` (1 to 5) poles. Every coefficient is non-negative, so the fit is passive at all frequencies.
/// The permittivity of infinite frequency is at least 1, so that the poles do not shorten the time step; the poles are
/// of type debye, by rising relaxation time. Relaxation times lie between 0.1 / highest and 10 / lowest: shorter ones a
/// time step could not resolve.
Medium fit_debye(const Permittivity& eps, int poles, double lowest, double highest);

/// The largest |fit - eps| / |eps| over the band (rad/s).
double worst_error(const Medium& fit, const Permittivity& eps, double lowest, double highest);

}  // namespace dgtd::physics
