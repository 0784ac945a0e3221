#pragma once
// The mesh of a case with shapes on tetrahedra (mesh.generator = shapes).
#include "dgtd/base/timers.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/mesh/body_model.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// Shapes, domain and element sizes of a case. Throws Error (bad_input) that names the shape where it is of a kind that
/// has no mesh, or outside of the domain, and where the case has no frequency.
mesh::BodyModel body_model(const config::Case& c);

/// Boxes around the dipoles of a case with elements as small as those that it has there, as sections around_NAME in
/// place of them: by these a case without some of the dipoles has the same mesh. Without those that the case has
/// itself. Root alone reads the files of shapes. Collective. Throws as body_model() does.
std::vector<config::Refinement> refinements_around_dipoles(const config::Case& c, const parallel::Communicator& comm);

/// The case's mesh with its file, which root makes where it is missing. Collective.
config::Mesh mesh_of_shapes(const config::Case& c, const parallel::Communicator& comm, Timers& timers);

}  // namespace dgtd::app
