#pragma once
// Full-vector modes of a cross-section of any lossless media and conductors, on the edges of a port's plane. They are
// modes of Yee's scheme itself, so that others of the grid have no part in sums with them.
#include <memory>

#include "dgtd/grid/cross_section.hpp"

// The source hides the solvers of Eigen that it instantiates, not these.
#pragma GCC visibility push(default)
namespace dgtd::grid {

/// Fields exp(i (omega t - beta n)) along the section's normal n: E in a plane of nodes, and H half a cell ahead
/// without the phase between them, which is real then.
struct SectionMode {
  double square = 0;                            // (2/d sin(beta d / 2))^2, 1/m^2
  std::array<std::vector<double>, 2> electric;  // [numbers of edges along each axis], sum of electric^2 area = 1: 1/m
  /// [numbers] of H across the edge, times the impedance of vacuum, 1/m: electric magnetic area is the power along n.
  std::array<std::vector<double>, 2> magnetic;
};

/// Sum of a.electric b.magnetic area: the power of a mode with itself, 0 of modes with different beta.
double power_of(const CrossSection& section, const SectionMode& a, const SectionMode& b);
/// Makes sum of electric^2 area = 1.
void normalise(const CrossSection& section, SectionMode& mode);
/// Whether the fields decay towards ends of the plane that are neither conductors nor magnetic walls.
bool is_guided(const CrossSection& section, const SectionMode& mode, double wave_number);
/// The largest E beside such ends over the largest one of all.
double share_at_rim(const CrossSection& section, const SectionMode& mode);

/// The eigenproblem of a section. Ends of its plane are electric walls, or the grid's magnetic ones.
class SectionModes {
 public:
  explicit SectionModes(const CrossSection& section);
  ~SectionModes();

  /// Up to `count` modes that are waves, by falling beta. wave_number: 2 / (c dt) sin(omega dt / 2), rad/m. Two of one
  /// beta are turned so that the first one has as much of its E as possible along the first axis.
  std::vector<SectionMode> at(double wave_number, int count) const;

 private:
  struct Operators;
  const CrossSection& section_;
  std::unique_ptr<const Operators> operators_;
};

}  // namespace dgtd::grid
#pragma GCC visibility pop
