#pragma once
// Lumped ports on a grid: circuits in edges of cells, semi-implicit in E.
//
// An edge of the length l, with the voltage V = E l, is a voltage of port_circuit.hpp: it gains g = Cb Z0 l / A per
// current of its circuit, with the dual area A.
#include <cstdint>
#include <vector>

#include "dgtd/physics/port_circuit.hpp"

namespace dgtd::grid {
struct Setup;
}

namespace dgtd::fdtd {

template <class Real>
struct Discretisation;

/// The circuit in one edge.
struct PortEdge {
  std::uint64_t index;       // in [component][reals]
  double length;             // m; negative: the port's direction is against the axis
  double field_per_current;  // g / length, V/m per A
  physics::CircuitStep circuit;
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
