#pragma once
// Faces between elements that have no penalty of jumps (docs/theory.md, "Penalty of jumps").
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dg {

/// Takes the penalty from both sides of faces across which the exact field jumps: H at the sheet of a lumped port, the
/// wave at a surface where a source or a port across a guide launches it. Before the executor is made. sources, ports:
/// without Bloch phases. Collective. Throws Error (bad_input) as those of their terms.
template <class Real>
void exempt_from_penalty(Discretisation<Real>& d, const std::vector<physics::Source>& sources,
                         const std::vector<physics::Port>& ports, const parallel::Communicator& comm);

}  // namespace dgtd::dg
