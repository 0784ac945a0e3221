#pragma once
// A plane wave in a total field between Bloch sides: its wave vector along them, q, is given at all frequencies, so each
// frequency has an angle of its own, sin = q c / (w n).
#include <vector>

#include "dgtd/dg/launched_field.hpp"

namespace dgtd::dg {

/// The axis across which such a wave enters: along which it has no phase, and its direction has most.
int axis_across(const physics::Source& source);

/// The waves that the total field's two planes across that axis launch in leap-frog steps of dt, s. With W = 2/dt sin(w dt / 2),
/// k = n W / c and k_n = sqrt(k^2 - q^2), behind the first plane by D,
///   E = s exp(i k_n D)                  H = -k_n/k t exp(i k_n D) / Z   of the part s = n x q / |q|,
///   E = k_n/k t exp(i k_n D)            H = s exp(i k_n D) / Z          of the part in the plane of incidence,
/// each tangential to the planes (t = +-q / |q|), times the waveform's spectrum and exp(i q . (x - position)). Below the
/// cut-off k = q it decays. Collective. Throws Error (bad_input) where faces are in other planes, or much of a pulse is
/// below the cut-off.
template <class Real>
std::vector<Launch> launch_bloch_wave(const Discretisation<Real>& d, const physics::Source& source, double dt,
                                      const parallel::Communicator& comm);

}  // namespace dgtd::dg
