#pragma once
// The energy of the fields over time, and the watch over it: a run whose energy exceeds what entered is stopped.
#include <optional>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

struct EnergySample {
  std::int64_t step;
  double time_s, energy_J, source_work_J;  // all ranks
};

/// A run that was stopped because its energy is not a number or came from nowhere.
class Unstable : public Error {
 public:
  Unstable(std::string message, std::int64_t last_good_step)
      : Error(ExitCode::unstable, std::move(message)), last_good_step_(last_good_step) {}
  /// The last step at which the energy was as it should be; -1: there was none.
  std::int64_t last_good_step() const { return last_good_step_; }

 private:
  std::int64_t last_good_step_;
};

/// Criterion by which the fields of pulses have decayed.
struct Decay {
  double level_dB = -50;     // of the energy, relative to its largest so far
  double sources_end_s = 0;  // when all sources are over everywhere
  double frequency_Hz = 0;   // of the lowest carrier, for a period of which the energy stays that small; 0: none
};

class Energy final : public solver::Observer {
 public:
  /// Samples at steps 0, interval, 2 interval, ... and at the last step. conserved: nothing drives or absorbs the
  /// fields, so that a drift is an error of the method. unit: what messages call a part of the domain. Solver and
  /// communicator outlive the observer.
  Energy(std::int64_t interval, std::int64_t last_step, bool conserved, solver::Figures& solver,
         const parallel::Communicator& comm, const char* unit = "element")
      : interval_(interval), last_step_(last_step), conserved_(conserved), solver_(solver), comm_(comm), unit_(unit) {}

  /// finish() warns where fields are left at the end: spectra over the whole run then are cut off.
  void expect_fading() { expect_fading_ = true; }
  /// The run ends at the first sample when the sources are over and the energy has been below the level for a period.
  void end_when_decayed(const Decay& decay) { decay_ = decay; }
  /// Samples also after every so many steps, which are periods.
  void sample_periods(std::int64_t steps) { period_ = steps; }

  std::int64_t next(std::int64_t step) const override;
  bool ends_run() const override { return has_decayed_; }
  /// Throws Unstable, which names the worst element, where the energy is not a number or exceeds the initial energy
  /// plus the work of sources and incident fields.
  void observe(const solver::Clock& clock) override;
  /// energy.csv; key and section of energies.
  void finish(io::Results& results) override;
  std::string state_name() const override { return "energy"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

  const std::vector<EnergySample>& samples() const { return samples_; }

 private:
  void check_fading() const;
  double largest() const;  // J, so far
  bool has_decayed() const;
  void add_decay(io::Results& results) const;
  [[noreturn]] void stop(const EnergySample& sample, double allowed) const;

  std::int64_t interval_, last_step_, period_ = 0;
  std::optional<Decay> decay_;
  bool conserved_, expect_fading_ = false, has_decayed_ = false;
  solver::Figures& solver_;
  const parallel::Communicator& comm_;
  const char* unit_;
  std::vector<EnergySample> samples_;
  double most_work_ = 0;   // J, largest |source work| so far
  double most_gross_ = 0;  // J, largest gross work so far
};

}  // namespace dgtd::observers
