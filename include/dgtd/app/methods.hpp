#pragma once
// The factories of methods. A new method is one entry in src/app/methods.cpp.
#include <string_view>

#include "dgtd/app/problem.hpp"

namespace dgtd::app {

/// All are collective and throw Error (bad_input, out_of_memory) for cases that the method cannot run.
Problem make_dg(const ProblemRequest& request);
Problem make_fdtd(const ProblemRequest& request);
Problem make_hertz(const ProblemRequest& request);
Problem make_line(const ProblemRequest& request);

/// The factory of the case's method.
Problem (*factory_of(const config::Case& c))(const ProblemRequest&);

}  // namespace dgtd::app
