#pragma once
#include "ini_scan.hpp"

namespace dgtd::config {

/// A source's section, as complete.hpp has it.
void complete_source(Source& s, const Case& c, const IniTable& table);

}  // namespace dgtd::config
