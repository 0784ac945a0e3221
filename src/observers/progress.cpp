#include "dgtd/observers/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

namespace {

std::string minutes(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// mpirun gives every rank a pseudo-terminal, whatever its own output is: there the bar comes only where
// DGTD_PROGRESS=bar is set, as scripts/run.sh does on a terminal.
bool is_bar() {
  if (const char* set = std::getenv("DGTD_PROGRESS")) return std::string_view(set) == "bar";
  return isatty(STDOUT_FILENO) != 0 && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr;
}

// For programs that run dgtd, such as scripts/python.
bool is_json() {
  const char* const set = std::getenv("DGTD_PROGRESS");
  return set != nullptr && std::string_view(set) == "json";
}

constexpr double seconds_per_look = 0.2, seconds_per_line = 5;

// Updates become rarer with the length of a run, so that a log of days stays below a few megabytes.
double seconds_per_update(double elapsed) { return std::clamp(elapsed / 300, seconds_per_look, seconds_per_line); }

}  // namespace

Progress::Progress(std::int64_t steps, double elements, const char* unit, const Energy& energy,
                   const parallel::Communicator& comm, std::filesystem::path directory)
    : steps_(steps),
      elements_(elements),
      unit_(unit),
      energy_(energy),
      comm_(comm),
      directory_(std::move(directory)),
      terminal_(is_bar()),
      json_(is_json()),
      next_seconds_(terminal_ ? seconds_per_look : seconds_per_line) {}

// The interval follows from the slowest rank's speed since the last look, and grows at most fourfold. It is a multiple
// of 16 where it is long, so that passes of several steps are not cut.
void Progress::observe(const solver::Clock& clock) {
  const std::int64_t now = clock.steps;
  const double seconds = timer_.seconds();
  const double per_step = comm_.max((seconds - last_seconds_) / double(std::max<std::int64_t>(1, now - last_step_)));
  const std::int64_t longest = std::max<std::int64_t>(16, 4 * (now - last_step_));
  std::int64_t interval = longest;
  if (per_step * double(longest) > seconds_per_look) interval = static_cast<std::int64_t>(seconds_per_look / per_step);
  interval = std::max<std::int64_t>(1, interval);
  next_step_ = now + interval;
  if (interval >= 16) next_step_ = next_step_ / 16 * 16;
  last_seconds_ = seconds;
  last_step_ = now;
  show(now, clock.electric_time());
}

void Progress::show(std::int64_t step, double time) {
  if (!log::enabled()) return;
  const double seconds = timer_.seconds();
  if (json_ && seconds >= next_update_) {
    print_update(step, time, double(steps_ - step) / double(step - first_step_) * seconds);
    next_update_ = seconds + seconds_per_update(seconds);
  }
  if (seconds < next_seconds_) return;
  next_seconds_ = seconds + (terminal_ ? seconds_per_look : seconds_per_line);
  if (!directory_.empty() && !std::filesystem::exists(directory_ / "resolved.cfg"))
    throw Error(ExitCode::other,
                fmt::format("{}: the directory of the results was removed during the run", directory_.string()));
  const double share = double(step) / double(steps_), speed = double(step - first_step_) / seconds;
  const std::string figures =
      fmt::format("step {}/{}{}  t {}  eta {}{}  {:.3g} M {} steps/s  energy {:.4g} J", step, at_most_, steps_,
                  units::time_text(time), at_most_, minutes((double(steps_) - double(step)) / speed),
                  speed * elements_ / 1e6, unit_, energy_.samples().empty() ? 0.0 : energy_.samples().back().energy_J);
  if (!terminal_) return log::line(figures);
  constexpr int width = 24;
  const int full = static_cast<int>(share * width);
  fmt::print("\r[{}{}] {:3.0f} %  {}\033[K", std::string(full, '#'), std::string(width - full, '.'), 100 * share,
             figures);
  std::fflush(stdout);
}

// A reader that has gone does not end the run.
void Progress::print_update(std::int64_t step, double time, double seconds_left) const {
  const std::string line =
      fmt::format(R"({{"step":{},"steps":{},"t_s":{},"percent":{:.2f},"elapsed_s":{:.3f},"left_s":{:.3f}}})", step,
                  steps_, time, 100 * double(step) / double(steps_), timer_.seconds(), seconds_left);
  std::fprintf(stderr, "%s\n", line.c_str());
}

// Speeds are those of this process.
void Progress::load(const solver::State&, std::int64_t step) {
  first_step_ = last_step_ = step;
  next_step_ = step + 1;
  last_seconds_ = timer_.seconds();
}

void Progress::finish(io::Results& results) {
  const io::Summary& summary = results.summary;
  if (summary.interruption.empty()) steps_ = summary.steps;  // fields may have ended the run
  if (log::enabled() && json_) print_update(summary.steps, double(summary.steps) * summary.dt_s, 0);
  if (log::enabled() && terminal_) fmt::print("\r\033[K");
}

}  // namespace dgtd::observers
