#pragma once
// The command line of dgtd-sar.
#include <iosfwd>
#include <string>
#include <vector>

namespace dgtd::app {

/// Runs `dgtd-sar ARGUMENTS`; returns its exit code. Errors are one line on err.
int sar_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace dgtd::app
