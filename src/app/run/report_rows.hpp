#pragma once
// The materials of a case as results.
#include <string>

#include "dgtd/config/case.hpp"
#include "dgtd/io/summary.hpp"

namespace dgtd::app {

/// Key of report.json and section of materials, at the run's first frequency.
void add_materials(const config::Case& c, io::Summary& summary);

/// The same table for the console.
std::string material_lines(const config::Case& c);

}  // namespace dgtd::app
