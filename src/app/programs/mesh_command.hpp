#pragma once
// The command line of dgtd-mesh.
#include <iosfwd>
#include <string>
#include <vector>

namespace dgtd::app {

/// Runs `dgtd-mesh ARGUMENTS`; returns its exit code. Errors are one line on err.
int mesh_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace dgtd::app
