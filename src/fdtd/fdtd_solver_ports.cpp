// Ports and what they record.
#include <fmt/format.h>

#include "dgtd/fdtd/fdtd_solver.hpp"

namespace dgtd::fdtd {

template <class Stored>
void FdtdSolver<Stored>::add_port(const grid::Setup& setup, const physics::Port& port) {
  const PortEdgeList list = discrete_port(setup, *d_, port);
  fields_.real.ports.push_back(engine().make_port(list.edges, physics::shape_of(port.waveform), port.excite));
  double elastance = 0;  // of layers in series
  for (const double capacitance : comm_.sum(list.layer_capacitance)) elastance += 1 / capacitance;
  ports_.push_back({1 / elastance, {}});
}

template <class Stored>
void FdtdSolver<Stored>::take_port_records() {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const std::vector<double> records = comm_.sum(fields_.real.ports[p]->take_records());
    solver::PortRecord& record = ports_[p].record;
    for (std::size_t i = 0; i < records.size(); i += 3) {
      record.voltage.push_back(records[i]);
      record.current.push_back(records[i + 1]);
      record.power.push_back(records[i + 2]);
    }
  }
}

template <class Stored>
const solver::PortRecord& FdtdSolver<Stored>::port_record(std::size_t port) {
  take_port_records();
  return ports_[port].record;
}

template <class Stored>
void FdtdSolver<Stored>::save_ports(solver::State& state) {
  take_port_records();
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    state.set_numbers(fmt::format("voltage of port {}", p), ports_[p].record.voltage);
    state.set_numbers(fmt::format("current of port {}", p), ports_[p].record.current);
    state.set_numbers(fmt::format("power of port {}", p), ports_[p].record.power);
  }
}

template <class Stored>
void FdtdSolver<Stored>::load_ports(const solver::State& state) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    ports_[p].record = {state.numbers(fmt::format("voltage of port {}", p)),
                        state.numbers(fmt::format("current of port {}", p)),
                        state.numbers(fmt::format("power of port {}", p))};
    fields_.real.ports[p]->take_records();  // of steps before
  }
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
