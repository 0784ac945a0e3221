#pragma once
// The powers of a case's sources to which SAR can refer.
#include "dgtd/config/case.hpp"
#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/io/summary.hpp"

namespace dgtd::app {

dosimetry::ReferencePowers reference_powers(const config::Case& c, const io::PowerBalance& power);

}  // namespace dgtd::app
