// Ports and what they record.
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "fdtd/sources/guide_port.hpp"

namespace dgtd::fdtd {

template <class Stored>
void FdtdSolver<Stored>::add_port(const grid::Setup& setup, const physics::Port& port) {
  RecordedPort& made = ports_.emplace_back();
  if (!port.is_lumped()) {
    GuidePort guide = guide_port(setup, *d_, port, comm_);
    made.mode = std::move(guide.mode);
    if (guide.source) add_lists(setup, *guide.source, false);
    return;
  }
  const PortEdgeList list = discrete_port(setup, *d_, port);
  fields_.real.ports.push_back(engine().make_port(list.edges, physics::shape_of(port.waveform), port.excite));
  made.term = fields_.real.ports.back().get();
  double elastance = 0;  // of layers in series
  for (const double capacitance : comm_.sum(list.layer_capacitance)) elastance += 1 / capacitance;
  made.cell_capacitance = 1 / elastance;
}

template <class Stored>
void FdtdSolver<Stored>::take_port_records() {
  for (RecordedPort& port : ports_)
    if (port.term != nullptr) port.record.append(comm_.sum(port.term->take_records()));
}

template <class Stored>
const solver::PortRecord& FdtdSolver<Stored>::port_record(std::size_t port) {
  take_port_records();
  return ports_[port].record;
}

template <class Stored>
void FdtdSolver<Stored>::save_ports(solver::State& state) {
  take_port_records();
  for (std::size_t p = 0; p < ports_.size(); ++p)
    if (ports_[p].term != nullptr) solver::save_record(state, p, ports_[p].record);
}

template <class Stored>
void FdtdSolver<Stored>::load_ports(const solver::State& state) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (ports_[p].term == nullptr) continue;
    ports_[p].record = solver::load_record(state, p);
    ports_[p].term->take_records();  // of steps before
  }
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
