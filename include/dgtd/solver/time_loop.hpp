#pragma once
// The loop over time steps of all methods.
#include <memory>
#include <span>

#include "dgtd/base/timers.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::solver {

using Observers = std::vector<std::unique_ptr<Observer>>;

/// Polls for requests from outside between two steps, and may end a run before its last step.
class Watch {
 public:
  virtual ~Watch() = default;
  /// The first number of completed steps >= `step` at which goes_on() is due, or `never`. The same on all ranks.
  virtual std::int64_t next(std::int64_t step) const = 0;
  /// Called after the observers of that step; false: the run ends here. Changes neither fields nor clock. Collective.
  virtual bool goes_on(Stepper& solver) = 0;
};

enum class Start {
  initial,   // observers sample the present state first
  continued  // they have done so before the state was saved
};

/// Advances the solver until `last_step` steps are done, an observer ends the run, or the watch, which may be null.
/// Each observer is called at exactly the steps that it names, in the order of the list; between two such steps the
/// solver takes all steps in one call. Adds the stages `loop/step` and `loop/observers` to the timers. Collective.
/// Passes on Errors of the solver and of observers.
void time_loop(Stepper& solver, std::int64_t last_step, std::span<const std::unique_ptr<Observer>> observers,
               Timers& timers, Start start = Start::initial, Watch* watch = nullptr);

}  // namespace dgtd::solver
