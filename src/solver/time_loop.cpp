#include "dgtd/solver/time_loop.hpp"

#include <algorithm>

namespace dgtd::solver {

namespace {

void observe(const Clock& clock, std::span<const std::unique_ptr<Observer>> observers, Timers& timers) {
  const auto scope = timers.measure("loop/observers");
  for (const auto& observer : observers)
    if (observer->next(clock.steps) == clock.steps) observer->observe(clock);
}

bool is_over(std::span<const std::unique_ptr<Observer>> observers) {
  return std::any_of(observers.begin(), observers.end(), [](const auto& observer) { return observer->ends_run(); });
}

}  // namespace

void time_loop(Stepper& solver, std::int64_t last_step, std::span<const std::unique_ptr<Observer>> observers,
               Timers& timers, Start start, Watch* watch) {
  if (start == Start::initial) observe(solver.clock(), observers, timers);
  while (solver.steps_done() < last_step && !is_over(observers)) {
    const std::int64_t now = solver.steps_done();
    std::int64_t stop = last_step;
    for (const auto& observer : observers) stop = std::min(stop, observer->next(now + 1));
    if (watch != nullptr) stop = std::min(stop, watch->next(now + 1));
    {
      const auto scope = timers.measure("loop/step");
      solver.advance(stop - now);
    }
    observe(solver.clock(), observers, timers);
    if (watch != nullptr && stop < last_step && watch->next(stop) == stop && !is_over(observers)) {
      const auto scope = timers.measure("loop/watch");
      if (!watch->goes_on(solver)) break;
    }
  }
  const auto scope = timers.measure("loop/step");
  solver.wait();
}

}  // namespace dgtd::solver
