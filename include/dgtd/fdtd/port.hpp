#pragma once
// Lumped ports on a grid: circuits in edges of cells, semi-implicit in E.
//
// An edge of the length l, whose voltage V = E l grows by V* - V^n in a half step without the port, gains g I from the
// current I of its circuit, g = Cb Z0 l / A with the dual area A:
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
#include <cstdint>
#include <vector>

#include "dgtd/physics/port.hpp"

namespace dgtd::grid {
struct Setup;
}

namespace dgtd::fdtd {

template <class Real>
struct Discretisation;

/// The circuit in one edge, with the equation's letters.
struct PortEdge {
  std::uint64_t index;       // in [component][reals]
  double length;             // m; negative: the port's direction is against the axis
  double field_per_current;  // g / length, V/m per A
  double half_gain;          // g / 2, V/A
  double a, b[2], p[2], q[2], r[2];
  double source;                  // its part of the source's voltage
  double of_voltage, of_current;  // what its voltage and its current count in those of the port
};

struct PortEdgeList {
  std::vector<PortEdge> edges;            // of this rank
  std::vector<double> layer_capacitance;  // [edges along the direction] F, this rank's part
};

/// The edges of a port: between the nodes nearest to the ends of its size, along its direction in series and across it
/// in parallel, where each has the share of the width that is nearest to it. Throws Error (bad_input) for a port
/// outside the grid, without an edge, or with an edge in a perfect conductor or a dispersive medium.
template <class Real>
PortEdgeList discrete_port(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port);

}  // namespace dgtd::fdtd
