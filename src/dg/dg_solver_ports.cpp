// Records of the ports of DgSolver.
#include "dgtd/dg/dg_solver.hpp"

namespace dgtd::dg {

template <class Real>
void DgSolver<Real>::place_ports(const std::vector<physics::Port>& ports) {
  std::size_t lumped = 0, guides = 0;
  for (const physics::Port& port : ports) {
    RecordedPort& recorded = port_records_.emplace_back();
    if (port.is_lumped()) {
      recorded.lumped = lumped++;
      continue;
    }
    const GuidePort& guide = sources_.guide_ports()[guides++];
    auto mode = std::make_unique<solver::PortMode>(guide.mode);
    if (guide.sent) mode->sent = [this, sent = guide.sent](double frequency) { return sent(frequency, step_); };
    recorded.mode = std::move(mode);
  }
}

template <class Real>
void DgSolver<Real>::take_port_records(int steps) {
  for (RecordedPort& port : port_records_) {
    if (port.mode) continue;
    const std::vector<double> last = sources_.ports()[port.lumped].take_records(steps);
    port.own.insert(port.own.end(), last.begin(), last.end());
  }
}

template <class Real>
const solver::PortRecord& DgSolver<Real>::RecordedPort::sum_over(const parallel::Communicator& comm) {
  record.append(comm.sum(std::move(own)));
  own.clear();
  return record;
}

template <class Real>
const solver::PortRecord& DgSolver<Real>::port_record(std::size_t port) {
  return port_records_[port].sum_over(comm_);
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
