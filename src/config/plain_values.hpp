#pragma once
// Values with units and parameters as the plain numbers that codecs read.
#include <string>
#include <string_view>

#include "codec.hpp"
#include "parameters.hpp"

namespace dgtd::config {

/// The units that a key's value may have, as documents name them: "m, km, cm, mm, um, nm, pm, mil, inch". Empty: none.
/// unit: the key's, in which a number without a unit is.
std::string allowed_units(Reading reading, std::string_view unit);

/// The text as numbers in the key's unit. A unit after a list's last number is that of all where no other number has
/// one. Throws Refusal.
std::string plain_text(std::string_view text, Reading reading, std::string_view unit, const Parameters& parameters);

}  // namespace dgtd::config
