#pragma once
// A port across a guide of any type: how it measures, and what it sends.
#include <optional>

#include "dgtd/fdtd/sources.hpp"
#include "dgtd/solver/port_mode.hpp"

namespace dgtd::fdtd {

struct GuidePort {
  solver::PortMode mode;
  std::optional<DiscreteSource> source;  // of an excited port
};

/// Throws Error (bad_input) where the plane is not that of such a guide. Collective.
template <class Real>
GuidePort guide_port(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port,
                     const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
