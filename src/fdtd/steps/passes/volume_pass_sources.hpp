#pragma once
// Additions of sources in a pass over a volume grid, and their work: computed for all steps of a pass before and
// after its tiles (cuda/fdtd/volume_tile_sources.hpp).
#include "dgtd/base/host_device.hpp"
#include "dgtd/fdtd/kernels/source_view.hpp"

namespace dgtd::fdtd {

/// All sources' entries in a pass, one after the other.
struct PassEntries {
  const SourceView<float>* lists;
  const int *list, *number;  // [entry] of which list, and which one there
};

/// Value that the entry at place i % n adds at step i / n of a pass: AddSourceTerm (source_term.hpp).
struct SourceValues {
  PassEntries entries;
  const int* entry_at;
  std::int64_t n;
  const std::int64_t* first_step;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  double* values;       // [step][n] in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const int entry = entry_at[i % n];
    const SourceView<float>& list = entries.lists[entries.list[entry]];
    const double start = static_cast<double>(*first_step + i / n) * time_step;
    const double time = list.electric ? start + 0.5 * time_step : start;
    values[i] = 1 / units[list.electric ? 0 : 1] * list.value(entries.number[entry], time);
  }
};

/// Adds the work of entry i in the steps of a pass.
struct SourceWork {
  PassEntries entries;
  const int* stored_at;
  std::int64_t n;
  const std::int64_t* first_step;
  int steps;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  const float* after;   // [step][n] E after each step, at the entries' places, in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const SourceView<float>& list = entries.lists[entries.list[i]];
    if (list.work == nullptr || stored_at[i] < 0) return;
    for (int s = 0; s < steps; ++s) {
      const double time = static_cast<double>(*first_step + s) * time_step + 0.5 * time_step;
      list.add_work(entries.number[i], time, time_step, static_cast<float>(units[0]) * after[s * n + stored_at[i]]);
    }
  }
};

}  // namespace dgtd::fdtd
