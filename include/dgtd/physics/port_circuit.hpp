#pragma once
// The circuit of a lumped port in a step, the same on grids and tetrahedra: semi-implicit in the voltage.
//
// A voltage V of the fields (of an edge of a grid, or a part of the field on a face) that grows by V* - V^n in a step
// without the port gains g I from the current I of its circuit:
//   V^{n+1} = V* + g I^{n+1/2}
// The circuit sees the mean of V^n and V^{n+1} at the half step, and inductors and capacitors are integrated by the
// trapezoidal rule, so that the discrete energies of fields and circuit balance exactly, whatever R, L and C are:
//   series    Vs - (V^n + V^{n+1}) / 2 = R I + L (J^{n+1} - J^n) / dt + (U^n + U^{n+1}) / 2,
//             I = (J^n + J^{n+1}) / 2 = C (U^{n+1} - U^n) / dt
//   parallel  W = Vs - (V^n + V^{n+1}) / 2 = L (J^{n+1} - J^n) / dt,
//             I = W / R + (J^n + J^{n+1}) / 2 + C (U^{n+1} - U^n) / dt,  W = (U^n + U^{n+1}) / 2
// (Piket-May, Taflove, Baron 1994, IEEE Trans. MTT 42, 1514, sec. II, there for single elements.) Both are, with
// u = Vs - (V^n + V*) / 2 and w = u - g I / 2, the voltage of the circuit,
//   I = a u + b_1 J + b_2 U,  J <- p_1 J + q_1 I + r_1 w,  U <- p_2 U + q_2 I + r_2 w.
#include "dgtd/base/host_device.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::physics {

/// A circuit with the equation's letters.
struct CircuitStep {
  double half_gain = 0;  // g / 2, V/A
  double a = 0, b[2] = {}, p[2] = {}, q[2] = {}, r[2] = {};

  /// I, A, and the step of J (A) and U (V) from u (V).
  DGTD_HOST_DEVICE double advance(double u, double& first, double& second) const {
    const double current = a * u + b[0] * first + b[1] * second;
    const double across = u - half_gain * current;
    first = p[0] * first + q[0] * current + r[0] * across;
    second = p[1] * second + q[1] * current + r[1] * across;
    return current;
  }
};

/// The circuit whose impedance is `times` times that of the port, where a current of 1 A raises the voltage by twice
/// half_gain (V/A) in a step of dt (s).
CircuitStep circuit_step(const Port& port, double times, double half_gain, double dt);

}  // namespace dgtd::physics
