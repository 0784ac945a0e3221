#pragma once
// Averaged SAR as text, for people and for names of arrays.
#include <string>
#include <vector>

#include "dgtd/dosimetry/mass_average.hpp"

namespace dgtd::dosimetry {

/// "1g", "10g", "0.5g".
std::string mass_text(double mass_kg);

/// For each mass the largest average with its place and its cube, and the number of voxels in each state: two lines per
/// mass, without a newline at the end.
std::string format_peaks(const std::vector<MassAverage>& averages);

}  // namespace dgtd::dosimetry
