#pragma once
// What sources add in a pass over a volume grid, and the work that they do: computed for all steps of a pass before and
// after its tiles (cuda/fdtd/volume_tile_sources.hpp).
#include "dgtd/base/host_device.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// An entry of a source (PassSourceList), as the functions below see it.
struct PassEntry {
  double weight, delay, moment;
  int shape, electric;
  double* work;   // null: none is counted
  float* before;  // E at the present step, V/m
};

/// What the entry at place i % n adds at step i / n of a pass: AddSourceTerm (source_term.hpp).
struct SourceValues {
  const PassEntry* entries;
  const int* entry_at;
  const physics::WaveformShape* shapes;
  std::int64_t n;
  const std::int64_t* first_step;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  double* values;       // [step][n] in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PassEntry& e = entries[entry_at[i % n]];
    const double start = static_cast<double>(*first_step + i / n) * time_step;
    const double time = e.electric ? start + 0.5 * time_step : start;
    values[i] = 1 / units[e.electric ? 0 : 1] * (e.weight * physics::value(shapes[e.shape], time - e.delay));
  }
};

/// The work of entry i in the steps of a pass: AddWork.
struct SourceWork {
  const PassEntry* entries;
  const int* stored_at;
  const physics::WaveformShape* shapes;
  std::int64_t n;
  const std::int64_t* first_step;
  int steps;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  const float* after;   // [step][n] E after each step, at the entries' places, in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PassEntry& e = entries[i];
    if (e.work == nullptr || stored_at[i] < 0) return;
    float before = *e.before;
    double sum = *e.work;
    for (int s = 0; s < steps; ++s) {
      const double time = static_cast<double>(*first_step + s) * time_step + 0.5 * time_step;
      const float u = static_cast<float>(units[0]) * after[s * n + stored_at[i]];
      sum -=
          0.5 * time_step * e.moment * physics::value(shapes[e.shape], time - e.delay) * (double(before) + double(u));
      before = u;
    }
    *e.before = before;
    *e.work = sum;
  }
};

}  // namespace dgtd::fdtd
