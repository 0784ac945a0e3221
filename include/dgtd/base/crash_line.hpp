#pragma once
// A crash of the program is named on one line.
#include <string>

namespace dgtd {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print "PROGRAM: error (rank R): the program crashed (...)"
/// on standard error and then end the process by that signal, as they would have. rank < 0: not named.
void name_crashes(const std::string& program, int rank);

}  // namespace dgtd
