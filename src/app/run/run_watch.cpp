#include "app/run/run_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "app/run/signal_requests.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/process_time.hpp"

namespace dgtd::app {

namespace {

// Requests on which the ranks agree: the largest value of each.
enum Request { ending_signal, write_signal, stop_file, walltime, due, seconds_per_step, requests };

}  // namespace

RunWatch::RunWatch(const config::Case& c, Checkpoints& checkpoints, std::int64_t first, double result_bytes,
                   const parallel::Communicator& comm)
    : c_(c),
      checkpoints_(checkpoints),
      comm_(comm),
      stop_file_(c.output.directory / "stop"),
      interval_(c.checkpoint.every > 0 ? std::min(1.0, 0.5 * c.checkpoint.every) : 1.0),
      result_bytes_(result_bytes),
      all_bytes_(result_bytes + (c.checkpoint.walltime ? checkpoints.bytes() : 0)),
      last_step_(first),
      next_step_(first + 1) {
  std::error_code failure;
  if (comm.is_root() && std::filesystem::remove(stop_file_, failure))
    log::warn("{} was there before the run and is removed", stop_file_.string());
}

std::int64_t RunWatch::next(std::int64_t step) const {
  const std::int64_t look = std::max(step, next_step_), steps = c_.checkpoint.steps;
  return steps > 0 ? std::min(look, solver::next_multiple(step, steps, 1)) : look;
}

// A tenth of the time or a minute, whichever is less, and twice what the checkpoint and the results take, which is
// known from the last checkpoint, or else at 500 MB/s.
double RunWatch::seconds_to_end() const {
  constexpr double bytes_per_second = 5e8, longest = 60, share = 0.1;
  const double checkpoint_bytes = all_bytes_ - result_bytes_;
  const double speed = checkpoints_.seconds() > 0
                           ? std::min(bytes_per_second, checkpoint_bytes / checkpoints_.seconds())
                           : bytes_per_second;
  return std::min(longest, share * *c_.checkpoint.walltime) + 2 * all_bytes_ / std::max(speed, 1.0);
}

// The interval follows from the slowest rank's speed and grows at most fourfold. It is a multiple of 16 where it is
// long, so that passes of several steps are not cut.
void RunWatch::choose_next_step(std::int64_t now, double seconds_per_step) {
  const std::int64_t longest = 4 * std::max<std::int64_t>(1, now - last_step_);
  std::int64_t steps = longest;
  if (seconds_per_step * double(longest) > interval_) steps = static_cast<std::int64_t>(interval_ / seconds_per_step);
  next_step_ = now + std::max<std::int64_t>(1, steps);
  if (steps >= 16) next_step_ = next_step_ / 16 * 16;
  last_step_ = now;
}

bool RunWatch::goes_on(solver::Stepper& solver) {
  solver.wait();  // a device may lag behind, and its time is what counts
  const std::int64_t now = solver.steps_done();
  std::vector<double> mine(requests, 0.0);
  mine[ending_signal] = requested_end();
  mine[write_signal] = requested_checkpoint();
  mine[seconds_per_step] = timer_.seconds() / double(std::max<std::int64_t>(1, now - last_step_));
  if (comm_.is_root()) {
    std::error_code failure;
    mine[stop_file] = std::filesystem::exists(stop_file_, failure);
    mine[walltime] =
        c_.checkpoint.walltime && seconds_since_process_start() + seconds_to_end() > *c_.checkpoint.walltime;
    mine[due] = c_.checkpoint.every > 0 && since_checkpoint_.seconds() >= c_.checkpoint.every;
  }
  const auto all = comm_.max(std::move(mine));
  choose_next_step(now, all[seconds_per_step]);
  if (all[ending_signal] > 0) interruption_ = signal_name(static_cast<int>(all[ending_signal]));
  else if (all[stop_file] > 0) interruption_ = "the file stop";
  else if (all[walltime] > 0) interruption_ = fmt::format("checkpoint.walltime = {} s", *c_.checkpoint.walltime);
  if (!interruption_.empty()) interruption_ += fmt::format(" at step {}", now);
  if (!interruption_.empty() || all[write_signal] > 0 || all[due] > 0 ||
      (c_.checkpoint.steps > 0 && now % c_.checkpoint.steps == 0)) {
    checkpoints_.write();
    since_checkpoint_.restart();
  }
  timer_.restart();
  if (interruption_.empty()) return true;
  std::error_code failure;
  if (comm_.is_root()) std::filesystem::remove(stop_file_, failure);
  log::warn("interrupted by {}; `dgtd CASE --restart` continues the run", interruption_);
  return false;
}

}  // namespace dgtd::app
