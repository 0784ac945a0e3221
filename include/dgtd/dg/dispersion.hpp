#pragma once
// Poles of the media of a discretisation: their update coefficients beside E (kernels/poles.hpp; docs/theory.md,
// "Dispersive media"), and the longest step that resolves them with local time steps.
#include <vector>

#include "dgtd/dg/kernels/poles.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::dg {

PoleCounts count_poles(const physics::Medium& medium);

/// Poles of a discretisation.
template <class Real>
struct Dispersion {
  PoleCounts most;                 // of any medium; none: no medium is dispersive
  std::vector<Real> table;         // [volume group][row_reals()] for the last time step that was set
  std::vector<PoleCounts> counts;  // [state block] the most of its elements

  int row_reals() const { return reals_of_row(most); }
  const Real* row(std::size_t group) const { return table.data() + group * static_cast<std::size_t>(row_reals()); }
};

/// A row of the table: D, A, then K, C1, C2 of each pole at its place among `most` and what critical points have
/// besides; zero where the medium has none. The rounded numbers are those of a passive medium, too: K + C2 / 2 <= 1 and
/// D (1 + s + sum C1 / 2) <= 1; with critical points, whose sum alone is passive, to rounding. dt in s.
template <class Real>
std::vector<Real> pole_row(const physics::Medium& medium, const PoleCounts& most, double dt);

/// 1 / D: 1 + s + sum C1 / 2, by which E's response to a current in a step is divided.
double implicit_factor(const physics::Medium& medium, double dt);

/// The longest step, s, of a medium in elements on level 1 or finer: there the filter takes |eps| for eps_inf, so that
/// the decay length in a metal is wrong by (dt w)^2 |eps| / (24 eps_inf), 0.26 % at the value returned. The band in
/// rad/s. Infinite for a medium without poles.
double longest_step_on_levels(const physics::Medium& medium, double lowest, double highest);

}  // namespace dgtd::dg
