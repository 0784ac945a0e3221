#pragma once
#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::dg {

inline std::string name_of(const physics::Port& port) { return fmt::format("{}: port.{}", port.origin, port.name); }

[[noreturn]] inline void refuse_port(const physics::Port& port, const std::string& why) {
  throw Error(fmt::format("{}: {}", name_of(port), why));
}

}  // namespace dgtd::dg
