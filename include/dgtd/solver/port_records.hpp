#pragma once
// What the ports of a run record: the one interface of all methods to the observer of ports.
#include <cstddef>
#include <vector>

namespace dgtd::solver {

/// Numbers of all ranks together, [steps] each, at the middles of the steps, (n + 1/2) dt.
struct PortRecord {
  std::vector<double> voltage;  // V, mean of its values at both ends of the step
  std::vector<double> current;  // A, of the circuit
  std::vector<double> power;    // W, that the port supplies to the fields; negative: that it takes from them
};

class PortRecords {
 public:
  virtual ~PortRecords() = default;
  /// The record of a port, by its number in the case, from the first step of the run to the present one. Collective.
  virtual const PortRecord& port_record(std::size_t port) = 0;
  /// Capacitance of the cells that the port is in, F: I - C dV/dt is the current into what is around these cells.
  virtual double cell_capacitance(std::size_t port) const = 0;
};

}  // namespace dgtd::solver
