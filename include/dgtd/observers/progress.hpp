#pragma once
// Progress and speed of a run: a bar on a terminal, a plain line every few seconds in a log, with DGTD_PROGRESS=json
// also a line of JSON per update on standard error. At the same times it looks whether the directory of the results is
// still there: a run of days should not end without one.
#include <filesystem>

#include "dgtd/base/timer.hpp"
#include "dgtd/observers/energy.hpp"

namespace dgtd::observers {

class Progress final : public solver::Observer {
 public:
  /// elements: of all ranks; unit: what they are, "element" or "cell". The energy observer outlives this one.
  /// directory: of the results, with the resolved case; empty: not looked for.
  Progress(std::int64_t steps, double elements, const char* unit, const Energy& energy,
           const parallel::Communicator& comm, std::filesystem::path directory = {});

  /// The steps are a bound: the run may end before.
  void expect_end() { at_most_ = "at most "; }

  /// About every fifth of a second, at steps that are the same on all ranks. observe() throws Error (other) on root
  /// where the directory was removed.
  std::int64_t next(std::int64_t step) const override { return step <= next_step_ ? next_step_ : step; }
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;
  std::string state_name() const override { return "progress"; }
  void load(const solver::State& state, std::int64_t step) override;

 private:
  void show(std::int64_t step, double time);
  void print_update(std::int64_t step, double time, double seconds_left) const;

  std::int64_t steps_, next_step_ = 1;
  double elements_;
  const char* unit_;
  const char* at_most_ = "";
  const Energy& energy_;
  const parallel::Communicator& comm_;
  std::filesystem::path directory_;
  bool terminal_, json_;
  Timer timer_;
  double last_seconds_ = 0, next_seconds_, next_update_ = 0;
  std::int64_t first_step_ = 0, last_step_ = 0;
};

}  // namespace dgtd::observers
