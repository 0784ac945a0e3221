#pragma once
// The largest stable time step, from the report's eq. (9) itself.
//
// With the absorbing boundary's damping taken at the old time level, (8) is the scheme with averaged
// damping and the masses M - dt/2 C. It is stable while they and the leap-frog coupling stay positive,
// which holds for dt <= 2 / alpha with
//   alpha = spectral radius of M^(-1/2) [ C_E  S ; S^t  C_H ] M^(-1/2);
// without absorbing boundaries C = 0 and alpha is the norm of (9). Conduction, averaged in time, only
// adds to the mass. alpha comes from power iteration on that symmetric operator, started from numbers
// that depend on global ids only, with sums that do not depend on their order: it has the same bits on
// any number of ranks and threads.
#include <vector>

#include "dgtd/dg/operator_parts.hpp"

namespace dgtd::dg {

struct StabilityLimit {
  double time_step = 0;  // 2 / alpha, s
  int iterations = 0;
  double last_change = 0;  // relative change of alpha over the last ten iterations
};

/// Collective. Uses two pairs of field arrays of executor, which computes on d, while it runs. Where the operator is
/// not symmetric (terms of loss or gain), alpha is the largest growth of a vector's norm in the last ten iterations,
/// which is not below the spectral radius once they have converged. terms: of the operator; conduction belongs to it
/// where an integrator does not average it in time.
template <class Real>
StabilityLimit stability_limit(const Discretisation<Real>& d, Executor<Real>& executor,
                               const parallel::Communicator& comm, const OperatorTerms& terms = {.conduction = false});

/// The same of a mesh whose elements have several orders; joints: between the parts, null where there is one only.
template <class Real>
StabilityLimit stability_limit(const std::vector<OperatorPart<Real>>& parts, OrderJoints<Real>* joints,
                               const parallel::Communicator& comm, const OperatorTerms& terms = {.conduction = false});

}  // namespace dgtd::dg
