#pragma once
// The powers of a case's sources to which SAR can refer.
#include <optional>

#include "dgtd/config/case.hpp"

namespace dgtd::app {

/// Whether a port sends.
bool has_excited_port(const config::Case& c);

/// Throws Error (bad_input) where sar.normalise does not fit the case's sources; warns where it has no effect.
void check_normalisation(const config::Case& c);

/// Power density of the plane waves whose frequency is that of the SAR, the first of [dft], W/m^2. exterior: the medium
/// through which they arrive. Absent where there is none, and where sar.normalise is another. Throws Error (bad_input)
/// where such waves have no common power density.
std::optional<double> incident_power(const config::Case& c, const config::Material& exterior);

}  // namespace dgtd::app
