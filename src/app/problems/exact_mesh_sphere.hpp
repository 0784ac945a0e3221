#pragma once
// The exact cross sections of a case on tetrahedra that is one sphere in a plane wave.
#include "app/problems/dg_problem.hpp"
#include "dgtd/observers/fluxes.hpp"

namespace dgtd::app {

/// For a case that is one homogeneous sphere in a plane wave, its only source, in vacuum, between absorbing surfaces or
/// mirrors through the sphere's centre: as exact_sphere does on grids. The sphere is that of the case's shapes, or the
/// one volume group that is not vacuum, if it is a ball; its radius then is that of the group's volume. For other cases
/// an empty function. made, without its solver, and mesh outlive what is returned, which is collective. Collective.
observers::ExactCrossSections exact_mesh_sphere(const config::Case& c, const mesh::Subdomain& mesh,
                                                const DgProblem& made, const parallel::Communicator& comm);

/// A ball that a volume group is, or of which it is the part between mirrors.
struct GroupBall {
  Vec3 centre;    // m
  double radius;  // m, of the volume
};
/// Nothing for a group of another form. mirrors: [axes] coordinate (m) of the mirror through its centre, if there is
/// one. Collective.
std::optional<GroupBall> ball_of_group(const mesh::Subdomain& mesh, std::size_t group,
                                       const std::array<std::optional<double>, 3>& mirrors,
                                       const parallel::Communicator& comm);

}  // namespace dgtd::app
