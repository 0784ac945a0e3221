// The time loop with solvers and observers that only count.
#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "solver/fake_solver.hpp"

namespace dgtd::solver {
namespace {

using Steps = std::vector<std::int64_t>;

class Recorder final : public Observer {
 public:
  Recorder(std::int64_t interval, std::int64_t first, Steps& calls)
      : interval_(interval), first_(first), calls_(calls) {}
  std::int64_t next(std::int64_t step) const override {
    return interval_ > 0 ? next_multiple(step, interval_, first_) : never;
  }
  void observe(const Clock& clock) override { calls_.push_back(clock.steps); }

 private:
  std::int64_t interval_, first_;
  Steps& calls_;
};

TEST(TimeLoop, CallsObserversAtTheirStepsAndTakesAllStepsBetweenAtOnce) {
  Steps tens, sevens, none;
  Observers observers;
  observers.push_back(std::make_unique<Recorder>(10, 0, tens));
  observers.push_back(std::make_unique<Recorder>(7, 1, sevens));
  observers.push_back(std::make_unique<Recorder>(0, 0, none));
  FakeStepper solver;
  Timers timers;
  time_loop(solver, 25, observers, timers);
  EXPECT_EQ(tens, (Steps{0, 10, 20}));
  EXPECT_EQ(sevens, (Steps{7, 14, 21}));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(solver.advances, (Steps{7, 3, 4, 6, 1, 4}));  // to 7, 10, 14, 20, 21, 25
  EXPECT_EQ(solver.waits, 1);
  EXPECT_EQ(timers.stages().size(), 2u);
}

TEST(TimeLoop, WithoutObserversTakesOneStretch) {
  FakeStepper solver;
  Timers timers;
  time_loop(solver, 1000, {}, timers);
  EXPECT_EQ(solver.advances, (Steps{1000}));
}

TEST(TimeLoop, AContinuedRunDoesNotObserveItsFirstStateAgain) {
  Steps whole, parts;
  Observers of_whole, of_parts;
  of_whole.push_back(std::make_unique<Recorder>(5, 0, whole));
  of_parts.push_back(std::make_unique<Recorder>(5, 0, parts));
  FakeStepper one, two;
  Timers timers;
  time_loop(one, 20, of_whole, timers);
  time_loop(two, 10, of_parts, timers);
  time_loop(two, 20, of_parts, timers, Start::continued);
  EXPECT_EQ(whole, (Steps{0, 5, 10, 15, 20}));
  EXPECT_EQ(parts, whole);
}

TEST(TimeLoop, PassesOnErrorsOfObservers) {
  class Failing final : public Observer {
   public:
    std::int64_t next(std::int64_t step) const override { return next_multiple(step, 3, 1); }
    void observe(const Clock&) override { throw Error(ExitCode::unstable, "stop"); }
  };
  Observers observers;
  observers.push_back(std::make_unique<Failing>());
  FakeStepper solver;
  Timers timers;
  EXPECT_THROW(time_loop(solver, 10, observers, timers), Error);
  EXPECT_EQ(solver.steps_done(), 3);
}

/// Ends the run after a step.
class Ending final : public Observer {
 public:
  explicit Ending(std::int64_t last) : last_(last) {}
  std::int64_t next(std::int64_t step) const override { return next_multiple(step, 4, 1); }
  void observe(const Clock& clock) override { now_ = clock.steps; }
  bool ends_run() const override { return now_ >= last_; }

 private:
  std::int64_t last_, now_ = 0;
};

/// Would end the run as well, but is not asked after its end.
class CountingWatch final : public Watch {
 public:
  int asked = 0;
  std::int64_t next(std::int64_t step) const override { return next_multiple(step, 8, 1); }
  bool goes_on(Stepper&) override { return ++asked > 0; }
};

// Observers of the same step see it, also those after the one that ends the run.
TEST(TimeLoop, EndsWhereAnObserverEndsIt) {
  Steps fours;
  Observers observers;
  observers.push_back(std::make_unique<Ending>(16));
  observers.push_back(std::make_unique<Recorder>(4, 1, fours));
  FakeStepper solver;
  CountingWatch watch;
  Timers timers;
  time_loop(solver, 100, observers, timers, Start::initial, &watch);
  EXPECT_EQ(solver.steps_done(), 16);
  EXPECT_EQ(fours, (Steps{4, 8, 12, 16}));
  EXPECT_EQ(watch.asked, 1);
  time_loop(solver, 100, observers, timers, Start::continued);  // it has ended
  EXPECT_EQ(solver.steps_done(), 16);
}

TEST(NextMultiple, IsNotBelowTheStepNorTheFirst) {
  EXPECT_EQ(next_multiple(0, 4), 0);
  EXPECT_EQ(next_multiple(0, 4, 1), 4);
  EXPECT_EQ(next_multiple(4, 4), 4);
  EXPECT_EQ(next_multiple(5, 4), 8);
  EXPECT_EQ(next_multiple(5, never - 1), never - 1);
  EXPECT_EQ(next_multiple(never, 4), never);
}

TEST(State, HoldsNamedArrays) {
  State state;
  state.set_numbers("a", {1, 2});
  EXPECT_EQ(state.numbers("a"), (State::Numbers{1, 2}));
  EXPECT_TRUE(state.has("a"));
  EXPECT_THROW((void)state.numbers("b"), Error);
}

TEST(Timers, AddStagesInTheOrderOfTheirFirstMeasurement) {
  Timers timers;
  timers.add("b", 1);
  timers.add("a", 2);
  timers.add("b", 3);
  ASSERT_EQ(timers.stages().size(), 2u);
  EXPECT_EQ(timers.stages()[0], (std::pair<std::string, double>{"b", 4}));
  EXPECT_EQ(timers.seconds("c"), 0);
  { const auto scope = timers.measure("c"); }
  EXPECT_GE(timers.seconds("c"), 0);
  EXPECT_EQ(timers.stages().size(), 3u);
}

}  // namespace
}  // namespace dgtd::solver
