#pragma once
// Messages as they are printed.
#include <string>
#include <string_view>

namespace dgtd {

/// One line of at most 1000 bytes: control characters become ?, and of a longer text the middle is left out.
std::string one_line(std::string_view text);

}  // namespace dgtd
