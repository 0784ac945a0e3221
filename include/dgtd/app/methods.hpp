#pragma once
// The registry of methods with their capabilities. It needs nothing else of the methods; their factories are in
// factories.hpp.
#include <span>
#include <string_view>

#include "dgtd/solver/method.hpp"

namespace dgtd::app {

/// All methods, the default one first.
std::span<const solver::Method> methods();

/// The method of that name, which must be one of methods().
const solver::Method& method(std::string_view name);

}  // namespace dgtd::app
