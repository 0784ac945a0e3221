#pragma once
// The powers of a case's sources to which SAR can refer.
#include <optional>

#include "dgtd/config/case.hpp"
#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/observers/powers.hpp"

namespace dgtd::app {

/// Throws Error (bad_input) where sar.normalise does not fit the case's sources; warns where it has no effect.
void check_normalisation(const config::Case& c);

/// exterior: the medium through which plane waves arrive.
dosimetry::ReferencePowers reference_powers(const config::Case& c, const observers::PowerBalance& power,
                                            const config::Material& exterior);

}  // namespace dgtd::app
