#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// What solver.variant asks of the rest of the case, once all of it is complete; chooses the backend where the case
/// leaves it open.
void complete_variant(Case& c, const IniTable& table);

}  // namespace dgtd::config
