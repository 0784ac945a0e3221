#pragma once
// Requests to a run from outside (signals, the file OUTPUT/stop), its checkpoints at intervals of wall time, and its
// end before the time that it may take.
#include <string>

#include "app/run/checkpoints.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/solver/time_loop.hpp"

namespace dgtd::app {

class RunWatch final : public solver::Watch {
 public:
  /// From step `first` on. result_bytes: of the files of fields that are written at the end, all ranks. All references
  /// outlive the object. Collective.
  RunWatch(const config::Case& c, Checkpoints& checkpoints, std::int64_t first, double result_bytes,
           const parallel::Communicator& comm);

  /// At multiples of checkpoint.steps, and about once per second, or twice per checkpoint.every where that is shorter;
  /// counted in whole steps, which are the same on all ranks.
  std::int64_t next(std::int64_t step) const override;
  bool goes_on(solver::Stepper& solver) override;

  /// Reason for the end of the run; empty: it was not ended.
  const std::string& interruption() const { return interruption_; }

 private:
  void choose_next_step(std::int64_t now, double seconds_per_step);
  double seconds_to_end() const;

  const config::Case& c_;
  Checkpoints& checkpoints_;
  const parallel::Communicator& comm_;
  std::filesystem::path stop_file_;
  double interval_;                  // s between two looks
  double result_bytes_, all_bytes_;  // all_bytes_: with a checkpoint, where checkpoint.walltime is set
  Timer timer_;                      // since the last look
  Timer since_checkpoint_;
  std::int64_t last_step_, next_step_;
  std::string interruption_;
};

}  // namespace dgtd::app
