#include "dgtd/solver/state.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"

namespace dgtd::solver {

namespace {

template <class Map>
const auto& entry(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) throw Error(ExitCode::other, fmt::format("the saved state has no array '{}'", name));
  return found->second;
}

}  // namespace

const State::Numbers& State::numbers(const std::string& name) const { return entry(numbers_, name); }
const State::Bytes& State::bytes(const std::string& name) const { return entry(bytes_, name); }

}  // namespace dgtd::solver
