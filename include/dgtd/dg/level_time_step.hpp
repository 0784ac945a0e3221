#pragma once
// The time step of level 0 for local time steps (docs/theory.md, "Local time steps"). The scheme is stable where
//   z_l = a_l lambda_max(P_l C F_{l+1} C^T P_l) < 1 for l = L .. 1   and   z_0 = (dt alpha / 2)^2 < 1,
// alpha the spectral radius of [D_E, C F_1; C^T, D_H F_1], D the damping of absorbing faces. The z_l are found by
// Lanczos iterations on the operators that the run uses. They do not grow monotonically with the time step, so the very
// time step of the run is checked.
#include "dgtd/dg/operator_parts.hpp"

namespace dgtd::dg {

/// The bounds of a time step.
struct LevelBounds {
  std::vector<double> z;  // [L + 1]; stable where all are below 1; infinite above a level that is not
  int iterations = 0;     // of all levels
  double largest() const;
  double largest_finite() const;
};

/// A part of the operator (OperatorParts) whose time step is set.
template <class Real>
struct SteppedPart {
  Discretisation<Real>& d;
  Executor<Real>& executor;
};

/// All functions are collective, use field arrays of the executors, which compute on the parts' d, and overwrite the
/// time-step arrays of these.
template <class Real>
class LevelTimeStep {
 public:
  /// As OperatorParts.
  LevelTimeStep(std::vector<SteppedPart<Real>> parts, OrderJoints<Real>* joints, const parallel::Communicator& comm);
  LevelTimeStep(Discretisation<Real>& d, Executor<Real>& executor, const parallel::Communicator& comm)
      : LevelTimeStep({{d, executor}}, nullptr, comm) {}
  /// s: the stability limit of the finest level's elements alone, which is that of global time steps where the finest
  /// level has the elements that bound it.
  double global_limit() const { return global_limit_; }
  /// s: the time step of level 0 with z_L = share.
  double time_step(double share) const;
  /// Throws Error (unstable) for an operator without finite norm.
  LevelBounds bounds(double dt);

 private:
  int finest() const { return parts_.finest_level(); }
  void set_time_step(double dt);
  double level_bound(int level, int& iterations);
  double outer_bound(double dt, int& iterations);

  std::vector<SteppedPart<Real>> stepped_;
  OperatorParts<Real> parts_;
  const parallel::Communicator& comm_;
  OwnedFields<Real> start_electric_, start_magnetic_;  // random, of all Lanczos iterations
  double global_limit_ = 0;
};

}  // namespace dgtd::dg
