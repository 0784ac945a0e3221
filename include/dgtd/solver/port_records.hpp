#pragma once
// Records of the ports of a run: the one interface of all methods to the observer of ports.
#include <cstddef>
#include <vector>

#include "dgtd/solver/port_mode.hpp"
#include "dgtd/solver/state.hpp"

namespace dgtd::solver {

/// Numbers of all ranks together, [steps] each, at the middles of the steps, (n + 1/2) dt.
struct PortRecord {
  std::vector<double> voltage;  // V, mean of its values at both ends of the step
  std::vector<double> current;  // A, of the circuit
  std::vector<double> power;    // W, that the port supplies to the fields; negative: that it takes from them

  /// Adds further steps, [steps][3] of these three.
  void append(const std::vector<double>& steps);
};

/// Part of the record of a port that a checkpoint keeps, by its number in the case.
void save_record(solver::State& state, std::size_t port, const PortRecord& record);
PortRecord load_record(const solver::State& state, std::size_t port);

class PortRecords {
 public:
  virtual ~PortRecords() = default;
  /// The record of a lumped port, by its number in the case, from the first step of the run to the present one. Collective.
  virtual const PortRecord& port_record(std::size_t port) = 0;
  /// Capacitance of the cells that the port is in, F: I - C dV/dt is the current into what is around these cells.
  virtual double cell_capacitance(std::size_t port) const = 0;
  /// The mode of a port across a guide; null of a lumped one.
  virtual const PortMode* port_mode(std::size_t) const { return nullptr; }
};

}  // namespace dgtd::solver
