#pragma once
// Faces of the mesh that are the sheet of a lumped port (dgtd/dg/port.hpp).
#include <cstdint>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::dg {

/// A face of a port as one of the elements beside it has it.
struct PortFace {
  std::uint32_t element;  // local
  int face;
  Vec3 centre;   // m
  double area;   // m^2
  double share;  // of the face's current that its element has: 1/2, on a boundary 1
};

/// Those of this rank. Throws Error (bad_input) for a port that is no rectangle.
std::vector<PortFace> faces_of_port(const mesh::Subdomain& mesh, const physics::Port& port);

/// The width of a port with these faces, m, the same bits on any ranks. Throws Error (bad_input) on all ranks where the
/// faces cannot be a port (port_sheets). Collective.
template <class Real>
double checked_width(const Discretisation<Real>& d, const physics::Port& port, const std::vector<PortFace>& faces,
                     const parallel::Communicator& comm);

}  // namespace dgtd::dg
