#pragma once
// Sections of the report that have files of their own.
#include <string>

#include "dgtd/io/summary.hpp"

namespace dgtd::io {

/// Empty where the run has nothing to say there.
std::string material_section(const Summary& summary);
std::string tissue_section(const Summary& summary);
std::string average_section(const Summary& summary);
std::string limit_section(const Summary& summary);
std::string picture_section(const Summary& summary);

/// "10 g", with a space that does not break.
std::string mass_text(const dosimetry::MassAverage& average);
/// The name of a limit's quantity: "SAR over 10 g".
std::string limit_quantity(dosimetry::Limit::Quantity quantity);
/// The unit of the power at which a limit is reached.
std::string limit_power_unit(const Summary& summary);

}  // namespace dgtd::io
