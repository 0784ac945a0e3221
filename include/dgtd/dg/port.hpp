#pragma once
// Lumped ports on tetrahedra: a sheet on faces of the mesh, semi-implicit in E (docs/theory.md, "Lumped ports").
//
// The faces fill a rectangle of the length L along the port's direction l, between two conductors, and of the width w, or
// are a group of the mesh, of the extent L and the area L w.
// The circuit is spread over it: its sheet current per width is that of the circuit between the voltages L l . E, so a
// resistor R has the sheet conductance G = L / (R w). With the centered flux each of the two elements beside a face has
// half of the sheet, driven by its own trace, so that nothing couples two elements. On a face the trace of l . E
// is expanded in polynomials phi_k, orthonormal on the face and ascending in degree,
//   v_k = integral over the face of l . E phi_k   (V),
// each of which is the voltage of a branch of port_circuit.hpp: the lift of a current phi_k raises v_k alone, by
//   g_k = response 2 A / |J| m_k . T M^-1 T^t m_k,   m_k = (integrals of phi_k B_i on the reference triangle),
// because polynomials on a face that differ in degree are also orthogonal in T M^-1 T^t. Only phi_0, a constant, has
// the source, and a part in the port's voltage and current.
#include <string>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/dipole.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/persistent.hpp"

namespace dgtd::dg {

/// A port on this rank.
struct PortSheet {
  std::vector<PortSide> sides;                 // ascending in element
  std::vector<physics::CircuitStep> circuits;  // [sides][Nf]
  std::vector<std::int64_t> number;            // [sides] 4 times the global element and the face, the same on any ranks
  std::vector<double> moments;                 // [branch][Nf], PortTraces
  std::vector<double> lift;                    // [face 4][Np][branch], UpdatePort
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

/// [elements] whether an element has a face of a lumped port. With local time steps these and their neighbours
/// take those of level 0, where the filter does not see the port's current (docs/theory.md). Throws Error (bad_input) for a
/// port that is no rectangle.
std::vector<std::uint8_t> port_elements(const mesh::Subdomain& mesh, const std::vector<physics::Port>& ports);

/// Polynomials that are orthonormal on the reference triangle (area 1/2), ascending in degree, in the Bernstein basis:
/// [polynomial][Nf].
std::vector<double> orthonormal_on_triangle(int order);

/// A sheet on an executor.
template <class Real>
class PortOn {
 public:
  /// d and executor outlive the port. dt: s.
  PortOn(const Discretisation<Real>& d, Executor<Real>& executor, const PortSheet& sheet, double dt);

  /// Takes E as it is, before a step, as E^n.
  void take_fields(const Field<Real>& electric);
  /// Makes E^{n+1} of what the half step has left. source: V, at its middle. step: of those since the last call of
  /// take_records, below most_steps_at_once.
  void apply(Field<Real>& electric, const LoopNumber& source, int step);
  /// Work on the fields since the start, J, this rank's part.
  double work() const { return parallel::sum_of(work_); }
  /// [steps][3] this rank's parts of voltage (V), current (A) and power (W) of the first steps.
  std::vector<double> take_records(int steps) const;
  /// Adds the arrays that a checkpoint keeps.
  void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list);
  double memory_bytes() const;

 private:
  PortTraces<Real> traces(const Field<Real>& electric) const;
  std::int64_t size() const { return static_cast<std::int64_t>(sides_.size()); }

  Executor<Real>& executor_;
  std::size_t stride_;
  int nodes_, branches_;  // Np, Nf
  double dt_;
  std::int64_t numbers_end_;          // numbers of sides are below
  std::vector<std::int64_t> number_;  // PortSheet
  parallel::Array<PortSide> sides_;
  parallel::Array<physics::CircuitStep> circuits_;  // [sides][Nf]
  parallel::Array<double> moments_, lift_;          // PortSheet
  parallel::Array<int> entry_a_, entry_b_, minus_;  // FaceTraceEntries
  parallel::Array<double> before_;                  // [sides][Nf] V, of E^n
  parallel::Array<double> first_, second_, work_;   // [sides][Nf] J (A) and U (V) of the circuits; J
  parallel::Array<double> record_;                  // [most_steps_at_once][sides][3]
};

}  // namespace dgtd::dg
