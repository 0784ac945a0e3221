#pragma once
// Rules for lists of the structured methods' case files: cells, poles, wavelengths.
#include <cstdint>
#include <vector>

#include "rules.hpp"

namespace dgtd::config {

constexpr std::int64_t most_cells = 1 << 20;  // an axis

/// Neighbouring cells of one spacing: "20*2e-9".
struct CellRun {
  std::int64_t count;
  double spacing;  // m
};
std::vector<CellRun> runs_of(const std::vector<double>& spacings);

/// Spacings (m) and COUNT*SPACING words.
Rule spacing_list(std::vector<double>& target);

/// A number > 1.
Rule above_one(double& target);

/// "drude WP GAMMA, lorentz WP W0 GAMMA, debye DELTA_EPS TAU", or the word gold.
Rule pole_list(std::vector<Pole>& target);

/// "X Y, X Y, X Y, …" (m), at least three.
Rule point_list(std::vector<std::array<double, 2>>& target);

/// "NUMBER MATERIAL, NUMBER MATERIAL, …", each number once.
Rule label_list(std::vector<Shape::Label>& target);

/// "FIRST LAST COUNT" (m), evenly spaced in wavelength. The target's frequencies (Hz) are in the same order.
Rule wavelengths(std::vector<double>& frequencies);

}  // namespace dgtd::config
