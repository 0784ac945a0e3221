#include "dgtd/app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dgtd/base/log.hpp"

namespace dgtd::app {

namespace {
std::string clock(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// mpirun hands every rank a pseudo-terminal, whatever its own output is: there the bar comes only
// where DGTD_PROGRESS=bar asks for it, as scripts/run.sh does on a terminal.
bool wants_bar() {
  if (const char* asked = std::getenv("DGTD_PROGRESS")) return std::string_view(asked) == "bar";
  return isatty(STDOUT_FILENO) != 0 && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr;
}

}  // namespace

Progress::Progress(std::int64_t steps, double time_step, double elements)
    : steps_(steps), time_step_(time_step), elements_(elements), terminal_(wants_bar()), next_(terminal_ ? 0.2 : 5) {}

void Progress::show(std::int64_t n, double energy) {
  if (!log::enabled()) return;
  const double seconds = timer_.seconds();
  if (seconds < next_) return;
  next_ = seconds + (terminal_ ? 0.2 : 5);
  const double share = double(n) / double(steps_), speed = double(n) / seconds;
  const std::string figures =
      fmt::format("step {}/{}  t {:.4g} s  eta {}  {:.3g} M element steps/s  energy {:.4g} J", n, steps_,
                  double(n) * time_step_, clock((double(steps_) - double(n)) / speed), speed * elements_ / 1e6, energy);
  if (!terminal_) return log::line(figures);
  constexpr int width = 24;
  const int full = static_cast<int>(share * width);
  fmt::print("\r[{}{}] {:3.0f} %  {}\033[K", std::string(full, '#'), std::string(width - full, '.'), 100 * share,
             figures);
  std::fflush(stdout);
}

void Progress::finish() {
  if (log::enabled() && terminal_) fmt::print("\r\033[K");
}

}  // namespace dgtd::app
