#pragma once
// Powers of a run from its Fourier sums, as a method measures them.
#include <vector>

#include "dgtd/dosimetry/sar.hpp"

namespace dgtd::observers {

/// Powers are means over a period where the sums are peak phasors.
class PowerMeter {
 public:
  virtual ~PowerMeter() = default;
  /// This rank's elements or cells at the first frequency. Collective.
  virtual dosimetry::Exposure exposure() const = 0;
  /// Masses, absorbed powers and SAR of materials at the first frequency, all ranks. Collective.
  virtual std::vector<dosimetry::TissueRow> tissues(const dosimetry::Exposure& exposure) const = 0;
  /// Power that leaves at the first frequency, W, all ranks. Collective.
  virtual double outflow() const = 0;
};

}  // namespace dgtd::observers
