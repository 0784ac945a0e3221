#include "dgtd/solver/port_records.hpp"

#include <fmt/format.h>

namespace dgtd::solver {

void PortRecord::append(const std::vector<double>& steps) {
  for (std::size_t i = 0; i + 2 < steps.size(); i += 3) {
    voltage.push_back(steps[i]);
    current.push_back(steps[i + 1]);
    power.push_back(steps[i + 2]);
  }
}

void save_record(State& state, std::size_t port, const PortRecord& record) {
  state.set_numbers(fmt::format("voltage of port {}", port), record.voltage);
  state.set_numbers(fmt::format("current of port {}", port), record.current);
  state.set_numbers(fmt::format("power of port {}", port), record.power);
}

PortRecord load_record(const State& state, std::size_t port) {
  return {state.numbers(fmt::format("voltage of port {}", port)),
          state.numbers(fmt::format("current of port {}", port)), state.numbers(fmt::format("power of port {}", port))};
}

}  // namespace dgtd::solver
