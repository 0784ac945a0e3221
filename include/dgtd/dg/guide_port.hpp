#pragma once
// Ports across guides on tetrahedra: a mode of the faces of the mesh in the port's plane, launched there to one side, and
// what E and H, the means of both sides of the faces, are projected on.
#include <cstdint>
#include <functional>
#include <vector>

#include "dgtd/dg/launched_field.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/port_mode.hpp"

namespace dgtd::dg {

struct GuidePort {
  std::vector<Launch> launches;  // none where the port sends nothing
  solver::PortMode mode;  // without `sent`
  std::function<solver::SentWave(double frequency, std::int64_t steps)> sent;
};

/// A port of type waveguide, coax or mode, for leap-frog steps of dt, s. Collective. Throws Error (bad_input) on all ranks
/// where faces of the mesh do not fill the plane, of type waveguide and coax a section of a guide of perfect conductors
/// and one lossless material, outside of absorbing layers, where the section does not have the mode, and for frequencies
/// at which the mode is not a wave.
template <class Real>
GuidePort make_guide_port(const Discretisation<Real>& d, const physics::Port& port, double dt,
                          const parallel::Communicator& comm);

/// Bytes of the executor's memory that its wave takes at most, this rank's. Collective. Throws Error as make_guide_port.
template <class Real>
double guide_port_bytes(const Discretisation<Real>& d, const physics::Port& port, const parallel::Communicator& comm);

}  // namespace dgtd::dg
