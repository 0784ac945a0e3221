#pragma once
// The registry of methods: a new method is one entry in src/app/methods.cpp.
#include <span>
#include <string_view>

#include "dgtd/solver/method.hpp"

namespace dgtd::app {

/// All methods, the default one first.
std::span<const solver::Method> methods();

/// The method of that name, which must be one of methods().
const solver::Method& method(std::string_view name);

}  // namespace dgtd::app
