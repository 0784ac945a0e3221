#pragma once
// The registry of methods: a new method is one entry in src/app/problems/methods.cpp.
#include <span>
#include <string_view>

#include "app/problems/problem.hpp"
#include "dgtd/solver/method.hpp"

namespace dgtd::app {

/// All methods, the default one first.
std::span<const solver::Method> methods();

/// The method of that name, which must be one of methods().
const solver::Method& method(std::string_view name);

/// The factories. All are collective and throw Error (bad_input, out_of_memory) for cases that the method cannot run.
Problem make_dg(const ProblemRequest& request);
Problem make_fdtd(const ProblemRequest& request);
Problem make_cublas_vector(const ProblemRequest& request);
Problem make_cublas_matrix(const ProblemRequest& request);
Problem make_scalar(const ProblemRequest& request);
Problem make_hertz(const ProblemRequest& request);
Problem make_line(const ProblemRequest& request);

/// The problem of the case's method. Collective.
Problem make_problem(const ProblemRequest& request);

}  // namespace dgtd::app
