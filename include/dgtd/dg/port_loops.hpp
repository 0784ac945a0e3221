#pragma once
// Bodies of the loops of all lumped ports of a rank in a step (port.hpp): voltages of their sides, circuits, lift of
// the currents.
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/loop_number.hpp"
#include "dgtd/physics/port_circuit.hpp"

namespace dgtd::dg {

/// A face of a port as one of the elements beside it has it.
struct PortSide {
  std::uint64_t first;  // the element's first coefficient in a field array
  int face;             // of the element
  int port;             // that has the side, among the lumped ones
  double weight[2];     // 1/m: the side's part in the port's voltage per coefficient of trace component a or b
  double change[3];     // V/m times m per A: change of covariant component k for a lift of 1
};

/// Numbers of a port from step to step.
struct PortState {
  double first, second;  // J (A) and U (V) of the circuit
  double work;           // on the fields since the start, J
  double current;        // in the last step, A
};

/// A field at ports. On a side, in the Bernstein basis, whose polynomials on a triangle all have the mean 1 / Nf,
///   share / w integral over the face of l . E = sum over i of weight_a t_a[i] + weight_b t_b[i].
template <class Real>
struct PortTraces {
  const Real* field;
  std::size_t stride;                    // between an element's coefficients
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  const PortSide* sides;

  /// The part of a side in its port's voltage, V.
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

/// A port that has sides on this rank.
struct PortCircuit {
  physics::CircuitStep circuit;
  std::int64_t first, parts;  // of the means whose sum is (V^n + V*) / 2
  int port;                   // among the lumped ones
};

/// The circuits in a step and what is recorded of them; an iteration is a port. V^{n+1} = V* + g I, so that the mean of
/// V^n and V^{n+1}, which times I is the power, is that of V^n and V* plus g I / 2.
struct StepCircuits {
  const PortCircuit* circuits;  // [iterations]
  const double* mean;           // V
  PortState* state;             // [ports]
  double* record;               // [ports][3] V, A and W of this step
  const double* source;         // [ports] V
  double time_step;             // s
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PortCircuit& c = circuits[i];
    PortState& now = state[c.port];
    double voltage = sum_in_order(mean + c.first, c.parts);
    const double current = c.circuit.advance(source[c.port] - voltage, now.first, now.second);
    voltage += c.circuit.half_gain * current;
    now.current = current;
    now.work += time_step * voltage * current;
    double* const of_port = record + 3 * c.port;
    of_port[0] = voltage, of_port[1] = current, of_port[2] = voltage * current;
  }
  // A thread of a device waits once for all loads of a group. Zeros after the last part change no bit.
  DGTD_HOST_DEVICE static double sum_in_order(const double* parts, std::int64_t count) {
    constexpr int group = 16;
    double sum = 0;
    for (std::int64_t first = 0; first < count; first += group) {
      double loaded[group];
      for (int k = 0; k < group; ++k) loaded[k] = first + k < count ? parts[first + k] : 0;
      for (int k = 0; k < group; ++k) sum += loaded[k];
    }
    return sum;
  }
};

/// E^{n+1} of the element beside a side: adds the lift of the current, which is uniform on its port.
template <class Real>
struct LiftPort {
  PortTraces<Real> traces;
  Real* field;             // that of the traces
  int nodes;               // Np
  const double* lift;      // [face 4][Np] of 1 on a face of the reference element
  const PortState* state;  // [ports]
  double* before;          // [sides] V, of E^{n+1}: that of the next step's E^n
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const {
    const PortSide& s = traces.sides[side];
    const double current = state[s.port].current;
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
