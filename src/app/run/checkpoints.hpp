#pragma once
// Checkpoints of a run: what is in them, where they are, and how a run continues from one.
#include <memory>
#include <optional>

#include "app/problems/problem.hpp"
#include "dgtd/io/checkpoint_file.hpp"

namespace dgtd::app {

/// The checkpoints that a run writes, OUTPUT/checkpoint-STEP.h5. All references outlive the object.
class Checkpoints {
 public:
  /// seconds_before: that earlier runs took for the steps up to the one that this run begins at.
  Checkpoints(const config::Case& c, Problem& problem, const solver::Observers& observers, const Timers& timers,
              double seconds_before, const parallel::Communicator& comm)
      : c_(c),
        problem_(problem),
        observers_(observers),
        timers_(timers),
        seconds_before_(seconds_before),
        comm_(comm) {}

  /// Writes one of the present step and removes those that are more than checkpoint.keep. Where that fails the older
  /// ones remain, the user is warned, and the run can go on. Returns whether it was written. Collective.
  bool write();
  /// Bytes of the arrays that one has, all ranks. Collective.
  double bytes() const;
  /// For a run that has become unstable: the newest checkpoint of the directory that is not beyond that step, as the
  /// end of a message. Collective.
  std::string last_good(std::int64_t step) const;
  double seconds() const { return seconds_; }  // that the last one took; 0: there was none

 private:
  io::CheckpointValues values() const;

  const config::Case& c_;
  Problem& problem_;
  const solver::Observers& observers_;
  const Timers& timers_;
  double seconds_before_;
  const parallel::Communicator& comm_;
  double seconds_ = 0;
};

/// The checkpoint from which a run continues.
class Continuation {
 public:
  /// file: a checkpoint, or empty: the newest whole one in the case's output directory; of damaged ones the user is
  /// told. Absent where that directory has none. Throws Error (bad_input) where there are damaged ones only, and for
  /// a case that differs in a key that must not change. Collective.
  static std::optional<Continuation> find(const config::Case& c, const std::filesystem::path& file,
                                          const parallel::Communicator& comm);

  std::int64_t step() const;
  double time_step() const;  // s
  double seconds() const;    // that the steps so far took

  /// Sets the solver and the observers to the state of the checkpoint. Throws Error (bad_input) where the checkpoint is
  /// that of another mesh or grid. Collective.
  void restore(Problem& problem, const solver::Observers& observers, const parallel::Communicator& comm) const;
  /// Tables that the continued run makes longer are copied to its output directory where the checkpoint is in another
  /// one. Collective. Throws Error where that fails.
  void bring_tables(const io::ResultFiles& files, const parallel::Communicator& comm) const;

 private:
  explicit Continuation(io::CheckpointFile file) : file_(std::move(file)) {}
  io::CheckpointFile file_;
};

/// Renames checkpoints of the directory beyond that step to NAME.old, in place of earlier ones of that kind: they
/// belong to another run. Removes unfinished ones. Collective.
void set_aside_checkpoints(const std::filesystem::path& directory, std::int64_t beyond,
                           const parallel::Communicator& comm);

}  // namespace dgtd::app
