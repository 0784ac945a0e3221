#pragma once
// One solution of a subdomain on a CPU thread.
#include <algorithm>
#include <cmath>

#include "dgtd/reproductions/kernels/line_update.hpp"
#include "dgtd/reproductions/line/solve.hpp"

namespace dgtd::reproductions {

/// Record of the fields that cross an interface in one direction, all zero.
template <class Real>
LineRecord<Real> silent_record(std::int64_t steps) {
  return {std::vector<Real>(static_cast<std::size_t>(steps + 1)), std::vector<Real>(static_cast<std::size_t>(steps))};
}

/// Records of a subdomain's interfaces; null where it has none.
template <class Real>
struct SubdomainWaves {
  const LineRecord<Real>* from_below = nullptr;  // R of the interface below
  const LineRecord<Real>* from_above = nullptr;  // S of the one above
  LineRecord<Real>* downward = nullptr;          // S of the interface below
  LineRecord<Real>* upward = nullptr;            // R of the one above
};

/// A place that is recorded: a cell of the subdomain.
template <class Real>
struct ProbeRecord {
  int cell;
  LineRecord<Real>* record;
};

template <class Real>
class SubdomainSteps {
 public:
  SubdomainSteps(const Subdomain<Real>& subdomain, const SubdomainWaves<Real>& waves,
                 const std::vector<ProbeRecord<Real>>& probes)
      : subdomain_(subdomain),
        waves_(waves),
        probes_(probes),
        electric_(size()),
        magnetic_(size()),
        electric_sum_(size()),
        magnetic_sum_(size()),
        start_electric_(size()),
        start_magnetic_(size()) {
    const int cells = subdomain.line.cells();
    const auto layered = [&](int i) { return subdomain.line.electric.c[i] != 0 || subdomain.line.magnetic.c[i] != 0; };
    for (layer_below_ = 0; layer_below_ < cells && layered(layer_below_);) ++layer_below_;
    for (layer_above_ = cells; layer_above_ > layer_below_ && layered(layer_above_ - 1);) --layer_above_;
  }

  /// Computes all chunks until the state repeats. Returns the steps that were computed.
  std::int64_t run(const LineProblem<Real>& problem) {
    std::int64_t marched = 0, started = -1, reference = -1;  // reference: the last chunk marched; -1: none, all is zero
    bool state_repeats = true;
    for (std::int64_t c = 0; c * problem.chunk < problem.steps; ++c) {
      const std::int64_t first = c * problem.chunk,
                         count = std::min<std::int64_t>(problem.chunk, problem.steps - first);
      bool steady =
          count == problem.chunk && state_repeats &&
          inputs_repeat(first, reference < 0 ? -1 : reference * problem.chunk, count, Real(problem.tolerance));
      if (problem.window > 0 && started >= 0 && count == problem.chunk) steady = c >= started + problem.window;
      if (steady) {
        repeat_outputs(first, reference < 0 ? -1 : reference * problem.chunk, count);
        continue;
      }
      if (started < 0) started = c;
      start_electric_ = electric_, start_magnetic_ = magnetic_;
      for (std::int64_t n = first; n < first + count; ++n) step(n);
      marched += count;
      reference = c;
      state_repeats = repeats(electric_, start_electric_, Real(problem.tolerance)) &&
                      repeats(magnetic_, start_magnetic_, Real(problem.tolerance));
    }
    return marched;
  }

  Real electric(int cell) const { return electric_[static_cast<std::size_t>(cell)]; }
  Real magnetic(int cell) const { return magnetic_[static_cast<std::size_t>(cell) + 1]; }

 private:
  std::size_t size() const {
    return static_cast<std::size_t>(subdomain_.line.cells()) + 1;
  }  // a ghost more: E above, H below, both zero

  static bool repeats(const std::vector<Real>& a, const std::vector<Real>& b, Real tolerance) {
    Real worst = 0;
#pragma omp simd reduction(max : worst)
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst <= tolerance;
  }
  static bool repeats(const std::vector<Real>& series, std::int64_t first, std::int64_t reference, std::int64_t count,
                      Real tolerance, Real weight = 1) {
    for (std::int64_t n = 0; n < count; ++n)
      if (!(std::abs(weight * (series[first + n] - (reference < 0 ? Real(0) : series[reference + n]))) <= tolerance))
        return false;
    return true;
  }
  bool inputs_repeat(std::int64_t first, std::int64_t reference, std::int64_t count, Real tolerance) const {
    for (const auto* record : {waves_.from_below, waves_.from_above})
      if (record != nullptr && !(repeats(record->electric, first, reference, count, tolerance) &&
                                 repeats(record->magnetic, first, reference, count, tolerance)))
        return false;
    return std::all_of(subdomain_.drives.begin(), subdomain_.drives.end(), [&](const auto& drive) {
      return repeats(drive.series, first, reference, count, tolerance, drive.weight);
    });
  }

  template <class F>
  void for_records(const F& f) {
    if (waves_.downward != nullptr) f(*waves_.downward);
    if (waves_.upward != nullptr) f(*waves_.upward);
    for (const auto& probe : probes_) f(*probe.record);
  }
  void repeat_outputs(std::int64_t first, std::int64_t reference, std::int64_t count) {
    for_records([&](LineRecord<Real>& record) {
      for (std::int64_t n = 0; n < count; ++n) {
        record.electric[first + n + 1] = reference < 0 ? Real(0) : record.electric[reference + n + 1];
        record.magnetic[first + n] = reference < 0 ? Real(0) : record.magnetic[reference + n];
      }
    });
  }

  void step(std::int64_t n) {
    const auto& e = subdomain_.line.electric;
    const auto& h = subdomain_.line.magnetic;
    Real* const electric = electric_.data();
    Real* const magnetic = magnetic_.data() + 1;
    update(h, electric + 1, electric, magnetic_sum_.data(), magnetic);
    // Fields beyond an interface lack what the neighbour's wave adds, and the place before it would read them without.
    const int lower = subdomain_.begin, upper = subdomain_.end;
    if (waves_.from_below != nullptr) magnetic[lower - 1] -= h.Cb[lower - 1] * waves_.from_below->electric[n];
    if (waves_.from_above != nullptr) magnetic[upper - 1] += h.Cb[upper - 1] * waves_.from_above->electric[n];
    for (const auto& drive : subdomain_.drives)
      if (!drive.electric) magnetic[drive.index] += drive.weight * drive.series[n];

    update(e, magnetic, magnetic - 1, electric_sum_.data(), electric);
    if (waves_.from_below != nullptr) electric[lower] -= e.Cb[lower] * waves_.from_below->magnetic[n];
    if (waves_.from_above != nullptr) electric[upper] += e.Cb[upper] * waves_.from_above->magnetic[n];
    for (const auto& drive : subdomain_.drives)
      if (drive.electric) electric[drive.index] += drive.weight * drive.series[n];

    if (waves_.downward != nullptr) {
      waves_.downward->electric[n + 1] = electric[lower] - waves_.from_below->electric[n + 1];
      waves_.downward->magnetic[n] = magnetic[lower - 1];
    }
    if (waves_.upward != nullptr) {
      waves_.upward->electric[n + 1] = electric[upper];
      waves_.upward->magnetic[n] = magnetic[upper - 1] - waves_.from_above->magnetic[n];
    }
    for (const auto& probe : probes_) {
      probe.record->electric[n + 1] = electric[probe.cell];
      probe.record->magnetic[n] = magnetic[probe.cell];
    }
  }

  // Half a step of one field from the other one above and below each of its places.
  void update(const LineUpdates<Real>& u, const Real* above, const Real* below, Real* sum, Real* field) const {
    const Real *const Ca = u.Ca.data(), *const Cb = u.Cb.data(), *const b = u.b.data(), *const c = u.c.data();
    const auto layer = [&](int from, int to) {
#pragma omp simd
      for (int i = from; i < to; ++i)
        line_update_in_layer(field[i], sum[i], above[i] - below[i], Ca[i], Cb[i], b[i], c[i]);
    };
    layer(0, layer_below_);
#pragma omp simd
    for (int i = layer_below_; i < layer_above_; ++i) line_update(field[i], above[i] - below[i], Ca[i], Cb[i]);
    layer(layer_above_, subdomain_.line.cells());
  }

  const Subdomain<Real>& subdomain_;
  SubdomainWaves<Real> waves_;
  std::vector<ProbeRecord<Real>> probes_;
  std::vector<Real> electric_, magnetic_;              // [cells + 1] V/m
  std::vector<Real> electric_sum_, magnetic_sum_;      // [cells + 1] psi
  std::vector<Real> start_electric_, start_magnetic_;  // [cells + 1] where the last chunk marched began
  int layer_below_ = 0, layer_above_ = 0;              // cells outside [below, above) lie in absorbing layers
};

}  // namespace dgtd::reproductions
