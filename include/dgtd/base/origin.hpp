#pragma once
// Origin of a value, for messages.
#include <string>

namespace dgtd {

/// "head.cfg:12" or "--set solver.order=9".
using Origin = std::string;

}  // namespace dgtd
