#pragma once
// The cross-section of a guide in the plane of a port, from the grid.
#include <string>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/grid/cross_section.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::fdtd {

using grid::CrossSection;
using grid::for_free_edges;

/// "FILE:LINE: port.NAME", for messages.
std::string name_of_port(const physics::Port& port);

/// The section between the nodes nearest to the port's ends, the same on all ranks. Throws Error (bad_input) for a
/// plane outside the grid, on its end or in an absorbing layer, and for media with losses. Types waveguide and coax:
/// also for a rim that is not in a conductor, conductors with surfaces beside lines of the grid, and several media;
/// type mode: for media that change along the normal beside the plane. Collective.
template <class Real>
CrossSection cross_section(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port,
                           const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
