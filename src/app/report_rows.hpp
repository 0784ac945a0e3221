#pragma once
// What the report says of a case and its results together.
#include "dgtd/config/case.hpp"
#include "dgtd/io/summary.hpp"

namespace dgtd::app {

/// Materials at the run's first frequency, and the exposure limits that its SAR can be compared with.
void add_report_rows(const config::Case& c, io::Summary& summary);

}  // namespace dgtd::app
