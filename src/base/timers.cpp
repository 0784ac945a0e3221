#include "dgtd/base/timers.hpp"

#include <algorithm>

namespace dgtd {

namespace {

auto find(auto& stages, const std::string& name) {
  return std::find_if(stages.begin(), stages.end(), [&](const auto& stage) { return stage.first == name; });
}

}  // namespace

void Timers::add(const std::string& stage, double seconds) {
  if (const auto found = find(stages_, stage); found != stages_.end()) found->second += seconds;
  else stages_.emplace_back(stage, seconds);
}

double Timers::seconds(const std::string& stage) const {
  const auto found = find(stages_, stage);
  return found != stages_.end() ? found->second : 0;
}

}  // namespace dgtd
