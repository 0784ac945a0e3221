#pragma once
// Additions of a source on the host.
#include <algorithm>
#include <vector>

#include "dgtd/fdtd/kernels/source_view.hpp"
#include "dgtd/solver/half_step.hpp"

namespace dgtd::fdtd {

using solver::HalfStep;

/// Entries of one waveform that are added in a half step, or that E is at the end of the step. No index twice.
struct SourceList {
  HalfStep half;
  physics::WaveformShape shape;
  std::vector<SourceEntry> entries = {};
  bool replaces = false;  // E is the value, after all else in the step

  bool counts_work() const {
    return std::any_of(entries.begin(), entries.end(), [](const SourceEntry& e) { return e.moment != 0; });
  }
};

}  // namespace dgtd::fdtd
