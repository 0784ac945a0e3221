#pragma once
// Bodies of the loops of a lumped port in a step (port.hpp): voltages of its sides, circuit, lift of the current.
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/loop_number.hpp"
#include "dgtd/physics/port_circuit.hpp"

namespace dgtd::dg {

/// A face of a port as one of the elements beside it has it.
struct PortSide {
  std::uint64_t first;  // the element's first coefficient in a field array
  int face;             // of the element
  double weight[2];     // 1/m: the side's part in the port's voltage per coefficient of trace component a or b
  double change[3];     // V/m times m per A: change of covariant component k for a lift of 1
};

/// Numbers of a port from step to step.
struct PortState {
  double first, second;  // J (A) and U (V) of the circuit
  double work;           // on the fields since the start, J
  double current;        // in the last step, A
};

/// A field at a port. On a side, in the Bernstein basis, whose polynomials on a triangle all have the mean 1 / Nf,
///   share / w integral over the face of l . E = sum over i of weight_a t_a[i] + weight_b t_b[i].
template <class Real>
struct PortTraces {
  const Real* field;
  std::size_t stride;                    // between an element's coefficients
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  const PortSide* sides;

  /// The part of a side in the port's voltage, V.
  DGTD_HOST_DEVICE double voltage(std::int64_t side) const {
    const PortSide& s = sides[side];
    double sum_a = 0, sum_b = 0;
    for (int i = 0; i < face_nodes; ++i) {
      Real a, b;
      read_trace(field + s.first, stride, entry_a, entry_b, minus, face_nodes, s.face, i, a, b);
      sum_a += double(a), sum_b += double(b);
    }
    return s.weight[0] * sum_a + s.weight[1] * sum_b;
  }
};

/// before[side] = part of the voltage of E^n
template <class Real>
struct ReadPort {
  PortTraces<Real> traces;
  double* before;  // [sides] V
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const { before[side] = traces.voltage(side); }
};

/// mean[side] = part of (V^n + V*) / 2, V* of what the half step has left
template <class Real>
struct MeanOfPort {
  PortTraces<Real> traces;
  const double* before;  // [sides] V, of E^n
  double* mean;          // [sides] V
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const {
    mean[side] = 0.5 * (before[side] + traces.voltage(side));
  }
};

/// The circuit in a step and what is recorded of it; one iteration. V^{n+1} = V* + g I, so that the mean of V^n and
/// V^{n+1}, which times I is the power, is that of V^n and V* plus g I / 2.
struct StepCircuit {
  const double* mean;  // [parts] V, whose sum is (V^n + V*) / 2; added in their order
  std::int64_t parts;
  physics::CircuitStep circuit;
  PortState* state;   // [1]
  double* record;     // [3] V, A and W of this step
  LoopNumber source;  // V
  double time_step;   // s
  DGTD_HOST_DEVICE void operator()(std::int64_t) const {
    double voltage = 0;
    for (std::int64_t i = 0; i < parts; ++i) voltage += mean[i];
    const double current = circuit.advance(source - voltage, state->first, state->second);
    voltage += circuit.half_gain * current;
    state->current = current;
    state->work += time_step * voltage * current;
    record[0] = voltage, record[1] = current, record[2] = voltage * current;
  }
};

/// E^{n+1} of the element beside a side: adds the lift of the current, which is uniform on the port.
template <class Real>
struct LiftPort {
  PortTraces<Real> traces;
  Real* field;             // that of the traces
  int nodes;               // Np
  const double* lift;      // [face 4][Np] of 1 on a face of the reference element
  const PortState* state;  // [1]
  double* before;          // [sides] V, of E^{n+1}: that of the next step's E^n
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const {
    const PortSide& s = traces.sides[side];
    const double current = state->current;
    Real* const element = field + s.first;
    for (int n = 0; n < nodes; ++n) {
      const double lifted = lift[s.face * nodes + n] * current;
      for (int c = 0; c < 3; ++c) {
        Real& u = element[std::size_t(c * nodes + n) * traces.stride];
        u = static_cast<Real>(double(u) + s.change[c] * lifted);
      }
    }
    before[side] = traces.voltage(side);
  }
};

}  // namespace dgtd::dg
