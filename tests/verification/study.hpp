#pragma once
// Common parts of the verification programs: a solver on a mesh, spheres, and the switch for full studies.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::verification {

/// Whether the environment asks for the full study (DGTD_FULL=1), not the short one that ctest runs.
bool full_study();

/// Mesh, materials and boundaries; the mesh outlives the solvers that are made of it.
struct Problem {
  mesh::Subdomain mesh;
  std::vector<physics::Medium> material;             // [volume groups]
  std::vector<physics::BoundaryKind> boundary_kind;  // [surface groups]
  std::vector<physics::Source> sources;
  dg::LayerRates layers = {};
  mesh::CurvedElements curved = mesh::CurvedElements::mean;
};

/// The communicator of this process alone.
const parallel::Communicator& alone();

/// The report's stability limit, s.
template <class Real>
double largest_time_step(const Problem& problem, int order);

/// With local time steps: whether the bounds of a step of level 0, dt in s, are at most 0.985, as in runs.
bool is_stable_step(const Problem& problem, int order, const dg::TimeLevels& levels, double dt);

/// A step of level 0 with such bounds, s: the first one found from above.
double largest_time_step(const Problem& problem, int order, const dg::TimeLevels& levels);

template <class Real>
std::unique_ptr<dg::DgSolver<Real>> make_solver(const Problem& problem, int order, double dt,
                                                const dg::TimeLevels& levels = {});

/// Fields far from smooth, with components that are not free of divergence, V/m and A/m of the order of 1 V/m.
void set_rough_fields(dg::DgSolver<double>& solver);

/// f - g in the arrangement of f, which belongs to a as g does to b: solvers on one mesh, with levels of their own.
dg::Field<double> difference(const dg::DgSolver<double>& a, const dg::Field<double>& f, const dg::DgSolver<double>& b,
                             const dg::Field<double>& g);

/// [elements] integral of |f|^2, V^2 m for f in V/m.
std::vector<double> squares(const dg::DgSolver<double>& solver, const dg::Field<double>& f);

/// Unit cube with metallic walls, in vacuum.
Problem metallic_cube(std::int64_t cells);

/// Concentric spheres, materials from inside, with an absorbing outer boundary.
Problem spheres(const mesh::Spheres& spheres, std::vector<physics::Medium> material);

/// The same with curved edges and the metric of each point, but for the absorbing boundary, as in a run.
Problem curved_spheres(const mesh::Spheres& spheres, std::vector<physics::Medium> material);

/// Moves vertices along their radius so that the faceted surface at each radius but the last encloses
/// the volume of the true sphere. Without it an inscribed surface encloses less.
void restore_sphere_volumes(mesh::Subdomain& mesh, const std::vector<double>& radii);

/// Volume of each group, m^3.
std::vector<double> group_volumes(const mesh::Subdomain& mesh);

/// Runs a whole number of periods with the steps of one as given, and the last of them with a DFT.
/// Returns the work of the sources in it, J.
template <class Real>
double run_to_steady_state(dg::DgSolver<Real>& solver, double frequency, int steps_per_period, int periods);

}  // namespace dgtd::verification
