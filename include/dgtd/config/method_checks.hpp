#pragma once
// Requirements of methods on a case beyond their capabilities (solver::Method::check). Each returns the end of a
// message that names what is required and what the case has; empty: the case has it.
#include <string>

#include "dgtd/config/case.hpp"

namespace dgtd::config {

/// A plane of one medium, with even spacing, between sides of type pec, and Ez, Hx, Hy alone.
std::string check_uniform_plane(const Case& c);

/// Ez and Hy alone.
std::string check_ez_alone(const Case& c);

}  // namespace dgtd::config
