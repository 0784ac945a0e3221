#include "dgtd/app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "dgtd/base/log.hpp"

namespace dgtd::app {

namespace {
std::string clock(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60) : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}
}  // namespace

Progress::Progress(std::int64_t steps, double time_step, double elements)
    : steps_(steps), time_step_(time_step), elements_(elements), terminal_(isatty(STDOUT_FILENO) != 0), next_(terminal_ ? 0.2 : 5) {}

void Progress::show(std::int64_t n, double energy) {
  if (!log::enabled()) return;
  const double seconds = timer_.seconds();
  if (seconds < next_) return;
  next_ = seconds + (terminal_ ? 0.2 : 5);
  const double share = double(n) / double(steps_), speed = double(n) / seconds;
  const std::string figures = fmt::format("step {}/{}  t {:.4g} s  eta {}  {:.3g} M element steps/s  energy {:.4g} J", n, steps_,
                                          double(n) * time_step_, clock((double(steps_) - double(n)) / speed), speed * elements_ / 1e6, energy);
  if (!terminal_) return log::line(figures);
  constexpr int width = 24;
  const int full = static_cast<int>(share * width);
  fmt::print("\r[{}{}] {:3.0f} %  {}\033[K", std::string(full, '#'), std::string(width - full, '.'), 100 * share, figures);
  std::fflush(stdout);
}

void Progress::finish() {
  if (log::enabled() && terminal_) fmt::print("\r\033[K");
}

}  // namespace dgtd::app
