#pragma once
// Lumped ports on tetrahedra: one circuit with one current, uniform on a sheet of faces of the mesh, semi-implicit in E
// (docs/theory.md, "Lumped ports").
//
// The faces fill a rectangle of the length L along the port's direction l, between two conductors, and of the width w,
// or are a group of the mesh, of the extent L and the area L w. Each of the two elements beside a face has the share
// 1/2 of the sheet, an element at a boundary the whole. Voltage and current per width are
//   V = sum over sides of share / w integral over the face of l . E,   J_s = -I / w l,
// so that the work on the fields is V I: what of E on the sheet has no part in V takes no power. A current I raises V
// by
//   g = sum over sides of (share / w)^2 response 2 A^2 / |J| (p + 1)(p + 3)
// times I, because the lift of a constant on a face is there a constant, (p + 1)(p + 3) on the reference element
// (Warburton, Hesthaven 2003, Comput. Methods Appl. Mech. Eng. 192, 2765, the constant of the trace inequality). With g
// the circuit is that of physics/port_circuit.hpp.
#include <memory>
#include <string>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/dipole.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/port_sum.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::dg {

/// A port on this rank.
struct PortSheet {
  std::vector<PortSide> sides;       // ascending in number
  std::vector<std::int64_t> number;  // [sides] 4 times the global element and the face, the same on any ranks
  std::shared_ptr<const PortSum> sum;
  physics::CircuitStep circuit;  // on ranks that have sides
};

/// The sheets of ports for steps of dt, s. response: of the integrator. Collective. Throws Error (bad_input) on all
/// ranks where the faces of the mesh do not fill the rectangle of a port, where a face of a group is not along its direction or has a
/// curved edge, where a face of a port is on a boundary that is
/// not of type pmc, in an absorbing layer or in a dispersive medium, or where an element would have faces of two ports.
template <class Real>
std::vector<PortSheet> port_sheets(const Discretisation<Real>& d, const std::vector<physics::Port>& ports,
                                   const CurrentResponse& response, double dt, const parallel::Communicator& comm);

/// Bytes of the executor's memory that a lumped port takes, this rank's. Throws Error (bad_input) for one that is no rectangle.
double lumped_port_bytes(const mesh::Subdomain& mesh, const physics::Port& port, int order);

/// [elements] whether an element has a face of a lumped port, or one in the plane of a port across a guide. With local
/// time steps these and their neighbours take those of level 0, where the filter does not see the port's current, and H
/// in the plane is not filtered (docs/theory.md). Throws Error (bad_input) for a lumped port that is no rectangle.
std::vector<std::uint8_t> port_elements(const mesh::Subdomain& mesh, const std::vector<physics::Port>& ports);

/// Lift of 1 on a face of the reference tetrahedron, whose area is 1/2: M^-1 times the integrals of the basis on the
/// face, [face 4][Np].
std::vector<double> lift_of_constant(int order);

/// The sheets of all lumped ports on an executor. A step takes three loops, whatever the number of ports: an element
/// has a face of one port at most, so the ports do not act on each other within a step.
template <class Real>
class PortsOn {
 public:
  /// d and executor outlive the ports. dt: s.
  PortsOn(const Discretisation<Real>& d, Executor<Real>& executor, const std::vector<PortSheet>& sheets, double dt);

  /// Takes E as it is, before a step, as E^n.
  void take_fields(const Field<Real>& electric);
  /// Makes E^{n+1} of what the half step has left. sources: [ports] V, at its middle, in the executor's memory. step:
  /// of those since the last call of take_records, below most_steps_at_once. Collective over the ranks that have faces
  /// of a port.
  void apply(Field<Real>& electric, const double* sources, int step);
  /// Whether apply() has messages, so that a device cannot replay it; alike on all ranks.
  bool has_messages() const;

  // Numbers that the first rank with faces of a port reports; zero on others:

  /// [ports] Work on the fields since the start, J.
  std::vector<double> work() const;
  /// [steps][ports][3] voltage (V), current (A) and power (W) of the first steps.
  std::vector<double> take_records(int steps) const;
  /// J (A) and U (V) of the circuit of a port, and the work (J).
  std::vector<double> circuit_numbers(std::size_t port) const;

  /// numbers: circuit_numbers() of the first rank that has faces.
  void set_circuit(std::size_t port, const std::vector<double>& numbers);
  double memory_bytes() const;

 private:
  PortTraces<Real> traces(const Field<Real>& electric) const;
  std::int64_t size() const { return static_cast<std::int64_t>(sides_.size()); }
  void add_means_of_all_ranks();

  Executor<Real>& executor_;
  std::vector<std::shared_ptr<const PortSum>> sums_;  // [ports]
  std::vector<std::size_t> first_side_;               // [ports + 1]
  std::size_t stride_;
  int nodes_, face_nodes_;  // Np, Nf
  double dt_;               // s
  parallel::Array<PortSide> sides_;                 // of all ports, one after the other
  parallel::Array<double> lift_;                    // [face 4][Np] lift_of_constant
  parallel::Array<int> entry_a_, entry_b_, minus_;  // FaceTraceEntries
  parallel::Array<double> before_;                  // [sides] V: parts of V^n
  // [sides] V: parts of (V^n + V*) / 2; [ports] V: their sum, of a port on several ranks
  parallel::Array<double> mean_;
  parallel::Array<PortCircuit> circuits_;  // of ports that have sides here
  parallel::Array<PortState> state_;       // [ports]
  parallel::Array<double> record_;         // [most_steps_at_once][ports][3] V, A, W
};

}  // namespace dgtd::dg
