#pragma once
// A step of a lumped port's edges: the same function for half steps, sweeps and passes, on the CPU and on the GPU.
#include <cstdint>

#include "dgtd/base/half.hpp"
#include "dgtd/base/host_device.hpp"
#include "dgtd/fdtd/port.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// State of an edge between steps.
template <class Real>
struct PortState {
  Real before;           // E^n, V/m
  double first, second;  // J (A) and U (V) of the circuit
  double work;           // done so far, J
};

/// E^{n+1} of an edge from what the half step and the sources have left there, E*; V = l E:
///   u = Vs - l (E^n + E*) / 2,   I = circuit(u) (physics/port_circuit.hpp),   E^{n+1} = E* + (g / l) I
/// and the edge's state after the step. record: V, the mean of V^n and V^{n+1}, I and V I. source: Vs at the middle of
/// the step, V; unit: V/m, of the field.
template <class Stored>
DGTD_HOST_DEVICE void step_of_edge(const PortEdge& e, double source, double unit, double time_step, Stored& stored,
                                   PortState<arithmetic_t<Stored>>& state, double* record) {
  using Real = arithmetic_t<Stored>;
  const double old = double(state.before), star = unit * double(stored);
  const double u = source - 0.5 * e.length * (old + star);
  const double current = e.circuit.advance(u, state.first, state.second);
  stored = static_cast<Stored>(static_cast<Real>((star + e.field_per_current * current) / unit));
  const Real now = static_cast<Real>(unit) * stored;
  state.before = now;
  const double voltage = 0.5 * e.length * (old + double(now));
  state.work += time_step * voltage * current;
  record[0] = e.of_voltage * voltage;
  record[1] = e.of_current * current;
  record[2] = voltage * current;
}

/// A port in the memory of an engine.
template <class Real>
struct PortView {
  const PortEdge* edges;   // [n]
  Real* before;            // [n] PortState
  double *first, *second;  // [n]
  double* work;            // [n]
  double* records;         // [steps][n][3] V, I and V I of each edge
  std::int64_t n;
  physics::WaveformShape shape;
  double amplitude;  // V

  /// The source's voltage in edge i, V; time: the middle of the step, s.
  DGTD_HOST_DEVICE double source(std::int64_t i, double time) const {
    return amplitude == 0 ? 0 : edges[i].source * amplitude * physics::value(shape, time);
  }
  DGTD_HOST_DEVICE PortState<Real> state(std::int64_t i) const { return {before[i], first[i], second[i], work[i]}; }
  DGTD_HOST_DEVICE void set_state(std::int64_t i, const PortState<Real>& s) const {
    before[i] = s.before, first[i] = s.first, second[i] = s.second, work[i] = s.work;
  }
  /// [3] of edge i in the step of that number.
  DGTD_HOST_DEVICE double* record(std::int64_t step, std::int64_t i) const { return records + 3 * (step * n + i); }
};

}  // namespace dgtd::fdtd
