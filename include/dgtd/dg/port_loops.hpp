#pragma once
// Bodies of the loops over the sides of a lumped port (port.hpp), a side per iteration.
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/loop_number.hpp"
#include "dgtd/physics/port_circuit.hpp"

namespace dgtd::dg {

/// A face of a port as one of the elements beside it has it. l: the port's direction, A: the area of the face.
struct PortSide {
  std::uint64_t first;            // the element's first coefficient in a field array
  int face;                       // of the element
  double along[2];                // 1/m: l . E of a trace (t_a, t_b), V/m times m, is along[0] t_a + along[1] t_b
  double scale;                   // m: sqrt(2 A), of an amplitude over that on the reference triangle
  double change[3];               // V/m times m per A: change of covariant component k for a lift of 1
  double source;                  // V per V of the source, in the constant branch
  double of_voltage, of_current;  // what voltage and current of the constant branch count in those of the port
};

/// Voltages of the branches: amplitudes of l . E on the face in orthonormal polynomials.
template <class Real>
struct PortTraces {
  const Real* field;
  std::size_t stride;                    // between an element's coefficients
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int branches;                          // Nf
  const PortSide* sides;
  const double* moments;  // [branch][Nf] of the polynomials with the basis on the reference triangle

  /// voltages: [branches] V
  DGTD_HOST_DEVICE void read(std::int64_t side, double* voltages) const {
    const PortSide& s = sides[side];
    double along[most_face_nodes];
    for (int i = 0; i < branches; ++i) {
      Real a, b;
      read_trace(field + s.first, stride, entry_a, entry_b, minus, branches, s.face, i, a, b);
      along[i] = s.along[0] * double(a) + s.along[1] * double(b);
    }
    for (int k = 0; k < branches; ++k) {
      double sum = 0;
      for (int i = 0; i < branches; ++i) sum += moments[k * branches + i] * along[i];
      voltages[k] = s.scale * sum;
    }
  }
};

/// voltages[side][branch] = those of the field as it is
template <class Real>
struct ReadPort {
  PortTraces<Real> traces;
  double* voltages;
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const { traces.read(side, voltages + side * traces.branches); }
};

/// E^{n+1} of the element beside a side from what the half step has left there, and what is recorded of the step.
template <class Real>
struct UpdatePort {
  PortTraces<Real> traces;
  Real* field;                           // that of the traces
  int nodes;                             // Np
  const physics::CircuitStep* circuits;  // [sides][branches]
  const double* lift;      // [face 4][Np][branches] of the branches' polynomials, on the reference element
  double* before;          // [sides][branches] V, of E^n
  double *first, *second;  // [sides][branches] J (A) and U (V) of the circuits
  double* work;            // [sides][branches] J
  double* record;          // [sides][3] V, A and W of this step
  LoopNumber source;       // V
  double time_step;        // s
  DGTD_HOST_DEVICE void operator()(std::int64_t side) const {
    const PortSide& s = traces.sides[side];
    const int branches = traces.branches;
    const std::int64_t at = side * branches;
    double star[most_face_nodes], current[most_face_nodes];
    traces.read(side, star);
    for (int k = 0; k < branches; ++k) {
      const double u = (k == 0 ? s.source * source : 0) - 0.5 * (before[at + k] + star[k]);
      current[k] = circuits[at + k].advance(u, first[at + k], second[at + k]);
    }
    Real* const element = field + s.first;
    for (int n = 0; n < nodes; ++n) {
      const double* const row = lift + std::size_t(s.face * nodes + n) * branches;
      double sum = 0;
      for (int k = 0; k < branches; ++k) sum += row[k] * current[k];
      for (int c = 0; c < 3; ++c) {
        Real& u = element[std::size_t(c * nodes + n) * traces.stride];
        u = static_cast<Real>(double(u) + s.change[c] * sum);
      }
    }
    traces.read(side, star);
    double power = 0;
    for (int k = 0; k < branches; ++k) {
      const double voltage = 0.5 * (before[at + k] + star[k]);
      before[at + k] = star[k];
      power += voltage * current[k];
      work[at + k] += time_step * voltage * current[k];
      if (k > 0) continue;
      record[3 * side] = s.of_voltage * voltage;
      record[3 * side + 1] = s.of_current * current[k];
    }
    record[3 * side + 2] = power;
  }
};

}  // namespace dgtd::dg
