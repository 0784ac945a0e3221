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
  const std::vector<double> last = sources_.ports().take_records(steps);  // [steps][lumped ports][3]
  const std::size_t of_step = last.size() / static_cast<std::size_t>(steps);
  for (RecordedPort& port : port_records_) {
    if (port.mode) continue;
    for (std::size_t at = 3 * port.lumped; at < last.size(); at += of_step)
      port.own.insert(port.own.end(), last.begin() + std::ptrdiff_t(at), last.begin() + std::ptrdiff_t(at + 3));
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
