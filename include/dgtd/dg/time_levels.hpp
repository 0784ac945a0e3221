#pragma once
// Levels of local time steps: an element of level l takes 2^l steps while an element of level 0 takes one.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/boundary.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::dg {

struct TimeLevels {
  int finest = 0;                        // L; 0: all elements take the same steps, and the lists are empty
  std::vector<std::uint8_t> of_element;  // [elements] 0 to L
  std::vector<std::uint8_t> of_halo;     // [halo faces] of the element beyond the face
  std::vector<std::uint8_t> reach;       // [elements] the highest level among the element and its face neighbours
  std::vector<std::int64_t> elements;    // [L + 1] elements on each level, of all ranks
  double gain = 1;          // predicted: updates of global steps over those of local steps, for the same time
  double updates = 1;       // of an element in a step of level 0, the mean of E and H and of all elements
  double coarse_limit = 0;  // s, step of level 0 for which no element exceeds its own limit; 0 without levels
};

/// The longest stable step of each element by itself, [elements] s, from a fit that is off by -9 to +21 %:
///   t_e = 2 / (c0 sqrt(lambda_e)),   lambda_e eps_r mu_r = c1 g + c2 sum_f A_f^2 / (V_e V_f),
/// where g is the largest eigenvalue of sum_k grad l_k grad l_k^T, and faces without a neighbour have no term in the
/// sum. material: of each volume group. The same bits for any partition. Collective.
std::vector<double> local_step_limits(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                      int order, const parallel::Communicator& comm);
/// The same where elements have several orders: an element's constants are those of its order, order_of_element [elements].
std::vector<double> local_step_limits(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                      const std::vector<int>& order_of_element, const parallel::Communicator& comm);

/// [elements] 1: has an absorbing face. boundary_kind: of each surface group.
std::vector<std::uint8_t> absorbing_elements(const mesh::Subdomain& mesh,
                                             const std::vector<physics::BoundaryKind>& boundary_kind);

/// Half updates, of E or H, of an element in a step of level 0.
inline double half_updates(const TimeLevels& levels, std::size_t element) {
  return std::ldexp(1.0, levels.of_element[element]) + std::ldexp(1.0, levels.reach[element]);
}

/// Levels from the limits (s) of the elements:
///   - an element has the lowest level whose step is within its limit;
///   - its face neighbours are raised to its level (a ring), then levels are raised until neighbours differ by at most
///     one;
///   - elements with an absorbing face and their face neighbours are on level 0: this bounds the coarse step, as
///     longest_step (s) does.
/// There are at most most_levels levels (1 or more), and only as many as are needed for a gain within 2 % of the
/// largest one; finest = 0 if a single level has that. The same levels for any partition. Collective.
TimeLevels assign_time_levels(const mesh::Subdomain& mesh, const std::vector<double>& limits,
                              const std::vector<std::uint8_t>& absorbing, int most_levels,
                              const parallel::Communicator& comm,
                              double longest_step = std::numeric_limits<double>::infinity());

/// The same levels for the elements of another partition of the mesh. of_element: their levels there, [elements].
/// Collective.
TimeLevels levels_on(const mesh::Subdomain& mesh, std::vector<std::uint8_t> of_element, const TimeLevels& levels,
                     const parallel::Communicator& comm);

/// Cost of each level: half updates per coarse step of each element, [elements][L + 1]. Level 0 has the two half
/// steps of all elements, level l > 0 the 2^(l-1) updates of E of elements of level l or finer, and of H of those that
/// reach l. Together they are 2^level + 2^reach. No stages where there are no levels.
/// Labels are the elements' levels.
mesh::ElementWork work_of_levels(const TimeLevels& levels);

}  // namespace dgtd::dg
