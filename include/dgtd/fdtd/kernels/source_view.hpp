#pragma once
// Additions of sources to fields, and their work: the same functions for half steps, sweeps and passes, on the
// CPU and on the GPU.
#include <cstdint>

#include "dgtd/base/host_device.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// field[index] += weight waveform(time - delay).
struct SourceEntry {
  std::uint64_t index;  // in [component][reals]
  double weight;        // V/m
  double delay;         // s
  double moment = 0;    // J dV at the waveform's peak, A m, where the work is counted; else 0
};

/// Work of a current on E in a step, as the scheme's energy counts it: -dt J^{n+1/2} . (E^n + E^{n+1}) / 2, J.
/// waveform: its value at the middle of the step; before, after: E^n and E^{n+1}, V/m; time_step: s.
DGTD_HOST_DEVICE double work_of_step(double moment, double waveform, double time_step, double before, double after) {
  return -(0.5 * time_step * moment * waveform * (before + after));
}

/// A SourceList in the memory of an engine.
template <class Real>
struct SourceView {
  const SourceEntry* entries;  // [n]
  physics::WaveformShape shape;
  bool electric;  // they are of E's half step
  double* work;   // [n] done so far, J; null: none is counted
  Real* before;   // [n] E at the present step, V/m

  /// Addition of entry n, V/m; time: the half step's, s.
  DGTD_HOST_DEVICE double value(std::int64_t n, double time) const {
    return entries[n].weight * physics::value(shape, time - entries[n].delay);
  }
  /// Adds the work of entry n in a step after which E is `after`, V/m; time: the middle of the step, s.
  DGTD_HOST_DEVICE void add_work(std::int64_t n, double time, double time_step, Real after) const {
    const double waveform = physics::value(shape, time - entries[n].delay);
    work[n] += work_of_step(entries[n].moment, waveform, time_step, double(before[n]), double(after));
    before[n] = after;
  }
};

}  // namespace dgtd::fdtd
