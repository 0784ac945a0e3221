#pragma once
// The tissue table as text, for people.
#include <string>
#include <vector>

#include "dgtd/dosimetry/sar.hpp"

namespace dgtd::dosimetry {

/// Aligned columns with units in the head: mass, absorbed power, mean and largest SAR and where the
/// latter lies; a last row adds the tissues (those with density). Ends with a newline.
std::string format_table(const std::vector<TissueRow>& rows);

/// The largest of W, mW, uW, nW, pW in which this power is at least 1.
struct PowerUnit {
  const char* name;
  double watts;
};
PowerUnit power_unit(double largest_W);

}  // namespace dgtd::dosimetry
