#pragma once
// The exact solution of cavity-mode cases.
#include <functional>

#include "dgtd/config/case.hpp"
#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/exact_error.hpp"
#include "dgtd/physics/cavity_mode.hpp"

namespace dgtd::app {

struct Cavity {
  physics::CavityMode mode;
  Vec3 corner;  // m
};

/// The mode in the mesh's bounding box. Throws Error (bad_input) for a case that is not a closed box with one lossless
/// material. group_material: [volume groups]. Collective.
Cavity mesh_cavity(const config::Case& c, const std::vector<config::Material>& group_material,
                   const mesh::Subdomain& mesh, const parallel::Communicator& comm);
/// The mode of a grid in vacuum. Throws Error as above.
Cavity grid_cavity(const config::Case& c, const grid::CartesianGrid& grid);

observers::ExactSolution exact_solution(const Cavity& cavity);
/// Sets the exact solution at t = 0.
std::function<void()> initial_cavity_mode(solver::Solver& solver, const observers::ExactSolution& exact);

}  // namespace dgtd::app
