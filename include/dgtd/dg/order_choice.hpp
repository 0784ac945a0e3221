#pragma once
// Choice of the polynomial order of each element: before a run from its size in wavelengths, after a run from the
// estimate of its error (docs/theory.md, "Choice of orders"). Orders do not depend on the partition of the mesh.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/medium.hpp"
#include "dgtd/physics/source.hpp"
#include "dgtd/solver/error_indicators.hpp"

namespace dgtd::dg {

/// The edge of the regular tetrahedron with the largest second moment of the element's vertices, m.
double edge_of_moments(const mesh::Subdomain& mesh, std::size_t element);

/// Relative RMS error of the best approximation, by polynomials of degree 1 to 6, of plane waves of wave number k (1/m)
/// in a regular tetrahedron of edge h: wave = k h.
double wave_error(int order, double wave);

/// The lowest order from 1 to `most` whose wave_error is not above `error`, else `most`.
int order_for_waves(double wave, double error, int most);

struct AdaptedOrders {
  std::vector<std::uint8_t> order;  // [elements]
  double before = 0, expected = 0;  // relative error of all elements, of the run and with these orders
};

/// [elements][order - 1] longest stable step of each element by itself, s.
using StepLimits = std::vector<std::array<float, 6>>;

/// Those of this rank's elements. material: [volume groups]. Collective.
StepLimits step_limits_of_orders(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                 const parallel::Communicator& comm);

/// The orders, each at most one from the run's and from 1 to `most` (or that of the run, where it is above), with which
/// the expected error of all elements is at most `target` with the fewest bytes per time; where that is not possible,
/// the ones with the least error. of_element, limits: of the whole mesh, by global number.
AdaptedOrders adapted_orders(const std::vector<solver::ElementError>& of_element, const StepLimits& limits,
                             double target, int most);

/// Raises orders until neighbours differ by one at most, and elements that a dipole's current of some radius meets have
/// one order. Collective.
void grade_orders(const mesh::Subdomain& mesh, const std::vector<physics::Source>& sources, std::vector<int>& order,
                  const parallel::Communicator& comm);

/// Work of an element of this order relative to others: what a step reads and writes of it.
int work_of_order(int order);
/// The work of elements of these orders, [elements]; none where all are the same on all ranks. Collective.
mesh::ElementWork work_of_orders(const std::vector<int>& order, const parallel::Communicator& comm);

}  // namespace dgtd::dg
