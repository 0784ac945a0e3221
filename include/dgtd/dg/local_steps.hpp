#pragma once
// Local time steps: the filtered leap-frog scheme of ratio two (docs/theory.md, "Local time steps"). E and H keep the
// time levels of level 0; the shorter steps of finer levels are inside a symmetric filter of H,
//   F_{L+1} = 1,   F_l = F_{l+1} (1 - a_l K_l F_{l+1}),   K_l = C^T P_l C,   a_l = dt^2 / (4^(l+1) kappa_l),
// kappa_l = 0.96^l, where P_l selects E in the elements of level l and finer. U is H before it is filtered, H = F_1 U:
//   U^{n+1/2} = U^{n-1/2} - dt C^T E^n,   E^{n+1} = E^n + dt C F_1 U^{n+1/2}.
// C is the operator of the elements of all orders of a mesh, so all parts take the half steps of a level together.
#include <vector>

#include "dgtd/dg/operator_parts.hpp"

namespace dgtd::dg {

/// a_l / dt^2, 1 <= l
double filter_factor(int level);

template <class Real>
class LocalSteps {
 public:
  /// parts with time levels.
  explicit LocalSteps(OperatorParts<Real> parts);
  /// d with time levels. Both outlive the object.
  LocalSteps(const Discretisation<Real>& d, Executor<Real>& executor) : LocalSteps({{{d, executor}}, nullptr}) {}

  /// U of a part in the blocks within reach of level 1 (N(P_1)), Z0 H, V/m times m; elsewhere U is H.
  Field<Real>& unfiltered(std::size_t part = 0) { return unfiltered_[part]; }
  PartFields<Real> unfiltered_of_parts() { return unfiltered_.all(); }

  /// field <- F_level field, with the time step of d; the values of field within reach of the level are those of
  /// `base`, where field is only written. Collective.
  void filter(int level, const PartFields<Real>& field, const PartFields<Real>& base);

  /// Whether U belongs to the H of the run; set by start_from and start_random.
  bool is_started = false;
  /// Finds U with F_1 U = magnetic, by conjugate gradients, to the rounding of Real. Collective.
  void start_from(const PartFields<Real>& magnetic, const parallel::Communicator& comm);
  /// U of any H is that H, which becomes F_1 U. Collective.
  void start_random(const PartFields<Real>& magnetic);

  double memory_bytes() const;

 private:
  void add_steps(std::size_t part, int level, Field<Real>& field, const Field<Real>& base,
                 std::vector<LevelStep<Real>>& steps);

  OperatorParts<Real> parts_;
  OwnedFields<Real> unfiltered_;             // [blocks of N(P_1)]
  std::vector<OwnedFields<Real>> saved_;     // [L + 1] H when level l has been updated, [blocks of N(P_{l+1})]
  std::vector<OwnedFields<Real>> electric_;  // [L + 1] dt C H in P_l, LevelBlocks
};

}  // namespace dgtd::dg
