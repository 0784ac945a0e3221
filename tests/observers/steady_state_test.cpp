// The check of the steady state on a solver without fields, whose E at two places is given.
#include "dgtd/observers/steady_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "solver/fake_solver.hpp"

namespace dgtd::observers {
namespace {

constexpr std::int64_t period = 32, steps = 96, interval = 4;
constexpr double dt = 0.5, frequency = 1 / (double(period) * dt);

/// E = amplitude(step) sin(2 pi f t + 0.7) at two places.
class FakeView final : public DomainView {
 public:
  explicit FakeView(const solver::Stepper& solver) : solver_(solver) {}
  double last_amplitude = 1;  // of the last period; before it is 1

  std::vector<PixelHit> slice(const PixelPlane&) const override { return {}; }
  std::vector<std::vector<PixelHit>> surfaces(std::span<const SurfaceView>,
                                              std::span<const std::size_t>) const override {
    return {};
  }
  std::vector<PixelHit> lattice(const std::array<std::vector<double>, 3>&) const override { return {}; }
  std::vector<float> amplitudes(std::span<const std::size_t>) const override { return {}; }
  std::array<Vec3, 2> box(std::span<const std::size_t>) const override { return {}; }
  std::size_t watch(int count, std::span<const Box>) override {
    asked = count;
    return 2;
  }
  bool watches_tissue() const override { return true; }
  std::vector<Vec3> watched() const override {
    const auto clock = solver_.clock();
    const double a = clock.steps > steps - period ? last_amplitude : 1;
    const double e = a * std::sin(2 * pi * frequency * clock.electric_time() + 0.7);
    return {{e, 0, 2 * e}, {0, -e, 0}};
  }
  std::vector<std::int64_t> watched_numbers() const override { return {7, 3}; }
  int asked = 0;

 private:
  const solver::Stepper& solver_;
};

double number(const io::Value& value, const char* key) { return value.at(key).get<double>(); }

FourierPlan plan() { return {{frequency}, steps - period, steps, interval, 2.0 * interval / period, true}; }

class SteadyStateTest : public testing::Test {
 protected:
  /// The key steady_state of the summary.
  io::Value run(double last_amplitude, std::int64_t stop = 0) const {
    solver::FakeStepper fake(dt);
    const solver::FakeFigures figures(fake);
    FakeView view(fake);
    view.last_amplitude = last_amplitude;
    Timers timers;
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(std::make_unique<SteadyState>(plan(), period, dt, true, view, figures, comm_));
    if (stop > 0) {
      solver::time_loop(fake, stop, list, timers);
      const auto state = list[0]->save();
      list[0] = std::make_unique<SteadyState>(plan(), period, dt, true, view, figures, comm_);
      list[0]->load(state, stop);
      solver::time_loop(fake, steps, list, timers, solver::Start::continued);
    } else {
      solver::time_loop(fake, steps, list, timers);
    }
    io::ResultFiles files("");
    io::Results r{files, comm_};
    list[0]->finish(r);
    EXPECT_EQ(r.summary.sections.size(), 1u);
    return r.summary.keys.at("steady_state");
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_F(SteadyStateTest, SamplesTwoPeriodsAtTheirStepsOnly) {
  solver::FakeStepper fake(dt);
  const solver::FakeFigures figures(fake);
  FakeView view(fake);
  const SteadyState observer(plan(), period, dt, true, view, figures, comm_);
  EXPECT_EQ(view.asked, SteadyState::places);
  std::vector<std::int64_t> due;
  for (std::int64_t n = observer.next(0); n != solver::never; n = observer.next(n + 1)) due.push_back(n);
  ASSERT_EQ(due.size(), 17u);
  for (std::size_t i = 0; i < due.size(); ++i)
    EXPECT_EQ(due[i], steps - 2 * period + interval * static_cast<std::int64_t>(i));
}

TEST_F(SteadyStateTest, ARepeatedPeriodHasNoChange) {
  const auto steady = run(1);
  EXPECT_EQ(steady.at("places").get<std::int64_t>(), 2);
  EXPECT_TRUE(steady.at("in_tissue").get<bool>());
  EXPECT_EQ(number(steady, "frequency_Hz"), frequency);
  EXPECT_LT(number(steady, "change_of_E"), 1e-12);
}

// |1.1 - 1| / 1.1
TEST_F(SteadyStateTest, AGrowingFieldIsSeen) { EXPECT_NEAR(number(run(1.1), "change_of_E"), 0.1 / 1.1, 1e-12); }

// The fake solver's sources have done the work 0.1 sin(n).
TEST_F(SteadyStateTest, EmittedPowersOfBothPeriods) {
  const auto steady = run(1);
  const auto work = [](std::int64_t n) { return 0.1 * std::sin(double(n)); };
  EXPECT_NEAR(number(steady, "mean_source_power_W"), (work(96) - work(64)) * frequency, 1e-15);
  EXPECT_NEAR(number(steady, "mean_source_power_before_W"), (work(64) - work(32)) * frequency, 1e-15);
}

TEST_F(SteadyStateTest, TheSameWhereSavedHalfWay) {
  for (const std::int64_t stop : {40, 64, 80}) {
    EXPECT_EQ(number(run(1.1, stop), "change_of_E"), number(run(1.1), "change_of_E")) << stop;
    EXPECT_EQ(number(run(1.1, stop), "mean_source_power_before_W"), number(run(1.1), "mean_source_power_before_W"))
        << stop;
  }
}

}  // namespace
}  // namespace dgtd::observers
