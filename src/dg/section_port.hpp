#pragma once
// Ports of type mode on tetrahedra: a mode of a cross-section of any lossless media, solved for on cells over the faces of
// the mesh in the port's plane.
#include "dgtd/dg/guide_port.hpp"

namespace dgtd::dg {

/// Collective. Throws Error (bad_input) on all ranks as make_guide_port.
template <class Real>
GuidePort make_section_port(const Discretisation<Real>& d, const physics::Port& port, double dt,
                            const parallel::Communicator& comm);

}  // namespace dgtd::dg
