#pragma once
// The interface of everything that samples a run: energies, probes, spectra, files. An observer alone determines the
// steps at which it samples.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "dgtd/solver/solver.hpp"
#include "dgtd/solver/state.hpp"

namespace dgtd::io {
struct Results;
}

namespace dgtd::solver {

/// A large file of a run and its bytes on all ranks together.
struct FileSize {
  std::string name;
  double bytes = 0;
  std::int64_t count = 1;  // of files of this size
  bool is_bound = false;   // compressed: most files are smaller
};

/// Returned by Observer::next where no step is left to observe.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// The first multiple of `interval` that is not below `step` and not below `first`; `never` where it is too large.
constexpr std::int64_t next_multiple(std::int64_t step, std::int64_t interval, std::int64_t first = 0) {
  const std::int64_t from = step > first ? step : first;
  const std::int64_t intervals = from / interval + (from % interval != 0);
  return intervals > never / interval ? never : intervals * interval;
}

class Observer {
 public:
  virtual ~Observer() = default;

  /// The first number of completed steps >= `step` at which observe() is due, or `never`. The same on all ranks. 0 is
  /// the initial state.
  virtual std::int64_t next(std::int64_t step) const = 0;
  /// Samples the present step, whose clock is given. What it samples, an observer has from its constructor. Changes
  /// neither fields nor clock of the solver. Collective.
  virtual void observe(const Clock& clock) = 0;
  /// Whether the run is over after the present step, once observe() or load() was called for it. The same on all ranks.
  virtual bool ends_run() const { return false; }
  /// After the last step: writes files, sets keys of summary.json and adds sections to report.html. Collective.
  virtual void finish(io::Results& results) { (void)results; }
  /// Writes large files, after finish() of all observers and after summary.json is written. Collective.
  virtual void finish_fields(io::Results& results) { (void)results; }
  /// The field files that a run of so many steps will write. Collective.
  virtual std::vector<FileSize> field_files(std::int64_t steps) const {
    (void)steps;
    return {};
  }

  /// Memory that finish() takes for a while beside what there is, this rank. Collective.
  virtual double output_bytes() const { return 0; }

  /// The name of what save() returns, one of its own among the observers of a run; empty: there is nothing to save.
  virtual std::string state_name() const { return {}; }
  /// Everything that observe() has accumulated in this object, for a checkpoint; what it has written into files is on
  /// the device when save() returns. Fourier sums of fields belong to the solver. load() is called before the first
  /// observe() of a continued run, whose length and output may be others, after the solver has its state. step: done.
  virtual State save() const { return {}; }
  virtual void load(const State& state, std::int64_t step) { (void)state, (void)step; }
};

}  // namespace dgtd::solver
