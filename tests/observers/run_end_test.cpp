// Runs that their fields end: the observers that decide, on a solver without fields.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/energy.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/steady_state.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "solver/fake_solver.hpp"

namespace dgtd::observers {
namespace {

using Steps = std::vector<std::int64_t>;
constexpr std::int64_t period = 32, interval = 4, most = 20 * period;
constexpr double dt = 0.5, frequency = 1 / (double(period) * dt), decay_per_period = 0.5;

FourierPlan plan(std::int64_t last = most) {
  return {{frequency}, 0, last, interval, 2.0 * interval / period, true, period};
}

/// E and the energy approach their steady values: the amplitude 1 - 2^-k in period k = 1, 2, ...
class Approaching final : public DomainView, public solver::Figures {
 public:
  explicit Approaching(const solver::Stepper& stepper) : stepper_(stepper) {}

  double amplitude() const {
    const auto k = (stepper_.steps_done() + period - 1) / period;
    return 1 - std::pow(decay_per_period, double(k));
  }
  double energy_left = 0;  // J, of the first period, that the energy differs from its steady value
  Steps starts, sums;      // of Fourier sums: steps
  std::vector<Box> boxes;  // that were asked for

  std::vector<PixelHit> slice(const PixelPlane&) const override { return {}; }
  std::vector<std::vector<PixelHit>> surfaces(std::span<const SurfaceView>,
                                              std::span<const std::size_t>) const override {
    return {};
  }
  std::vector<PixelHit> lattice(const std::array<std::vector<double>, 3>&) const override { return {}; }
  std::vector<float> amplitudes(std::span<const std::size_t>) const override { return {}; }
  std::array<Vec3, 2> box(std::span<const std::size_t>) const override { return {}; }
  std::size_t watch(int, std::span<const Box> of) override {
    boxes.assign(of.begin(), of.end());
    return 1;
  }
  bool watches_tissue() const override { return false; }
  std::vector<Vec3> watched() const override {
    return {{amplitude() * std::sin(2 * pi * frequency * stepper_.clock().electric_time()), 0, 0}};
  }
  std::vector<std::int64_t> watched_numbers() const override { return {5}; }

  double energy() override {
    return 100 - energy_left * std::pow(decay_per_period, double(stepper_.steps_done()) / period);
  }
  solver::SourceWork work() const override { return {double(stepper_.steps_done()) / period, 0, 2}; }  // 1 J per period
  solver::Instability find_instability(double&) const override { return {}; }
  void start_dft(const std::vector<double>&) override { starts.push_back(stepper_.steps_done()); }
  void accumulate_dft(double) override { sums.push_back(stepper_.steps_done()); }

 private:
  const solver::Stepper& stepper_;
};

class RunEnds : public testing::Test {
 protected:
  struct Run {
    solver::FakeStepper stepper{dt};
    Approaching fields{stepper};
    solver::Observers list;
    io::Results results;
    explicit Run(io::Results r) : results(std::move(r)) {}
  };

  void add_observers(Run& run, double tolerance, FourierPlan sums) const {
    auto energy = std::make_unique<Energy>(1000, sums.last, false, run.fields, comm_);
    energy->sample_periods(period);
    auto steady = std::make_unique<SteadyState>(sums, period, dt, true, run.fields, run.fields, comm_);
    steady->end_when_steady(tolerance, *energy);
    run.list.push_back(std::move(energy));
    run.list.push_back(std::make_unique<FourierSums>(std::move(sums), run.fields));
    run.list.push_back(std::move(steady));
  }
  /// stop > 0: continued there with new observers.
  std::unique_ptr<Run> run(double tolerance, double energy_left = 0, std::int64_t stop = 0, FourierPlan sums = plan()) {
    auto run = std::make_unique<Run>(io::Results{files_, comm_});
    run->fields.energy_left = energy_left;
    Timers timers;
    add_observers(*run, tolerance, sums);
    if (stop > 0) {
      solver::time_loop(run->stepper, stop, run->list, timers);
      std::vector<solver::State> states;
      for (const auto& o : run->list) states.push_back(o->save());
      run->list.clear();
      add_observers(*run, tolerance, sums);
      for (std::size_t i = 0; i < states.size(); ++i) run->list[i]->load(states[i], run->stepper.steps_done());
      solver::time_loop(run->stepper, sums.last, run->list, timers, solver::Start::continued);
    } else {
      solver::time_loop(run->stepper, sums.last, run->list, timers);
    }
    run->results.summary.steps = run->stepper.steps_done();
    run->list.back()->finish(run->results);
    return run;
  }
  static double number(const Run& run, const char* key) {
    return run.results.summary.keys.at("run_end").at(key).get<double>();
  }
  static std::string word(const Run& run, const char* key) {
    return run.results.summary.keys.at("run_end").at(key).get<std::string>();
  }

  const parallel::Communicator comm_{MPI_COMM_SELF};
  io::ResultFiles files_{""};
};

// |E_k - E_{k-1}| / |E_k| = 2^-k / (1 - 2^-k) = 1 / (2^k - 1): 1/127 in period 7.
TEST_F(RunEnds, AfterTheFirstPeriodThatRepeatsTheOneBefore) {
  const auto ended = run(0.01);
  EXPECT_EQ(ended->stepper.steps_done(), 7 * period);
  EXPECT_NEAR(number(*ended, "change_of_E"), 1.0 / 127, 1e-12);
  EXPECT_EQ(number(*ended, "largest_change"), number(*ended, "change_of_E"));
  EXPECT_EQ(ended->results.summary.keys.at("run_end").at("periods").get<std::int64_t>(), 7);
  EXPECT_EQ(word(*ended, "reason"), "steady");
  EXPECT_EQ(ended->results.summary.sections.front().console,
            "the run is steady after 7 periods: changes over the last one are 0.79 % of E and 0 % of the stored energy "
            "over the work of the sources, and time.tolerance = 1 %");
}

// The sums of the last period are there when the run ends, and no others in them.
TEST_F(RunEnds, WithTheSumsOfTheLastPeriod) {
  const auto ended = run(0.01);
  const std::int64_t last_start = ended->fields.starts.back();
  EXPECT_EQ(last_start, 6 * period + interval);  // with the first sample
  Steps of_last;
  for (const auto step : ended->fields.sums)
    if (step >= last_start) of_last.push_back(step);
  ASSERT_EQ(of_last.size(), std::size_t(period / interval));
  EXPECT_EQ(of_last.back(), ended->stepper.steps_done());
}

// The energy changes in period k by 8 (2^-(k-1) - 2^-k) = 8 2^-k of the work: 8/1024 in period 10.
TEST_F(RunEnds, NotBeforeTheBalanceOfPowersIsClosed) {
  const auto ended = run(0.01, 8);
  EXPECT_EQ(ended->stepper.steps_done(), 10 * period);
  EXPECT_NEAR(number(*ended, "change_of_energy"), 8.0 / 1024, 1e-12);
  EXPECT_EQ(number(*ended, "largest_change"), number(*ended, "change_of_energy"));
}

TEST_F(RunEnds, AtMostAfterSoManyPeriods) {
  const auto ended = run(1e-9);
  EXPECT_EQ(ended->stepper.steps_done(), most);
  EXPECT_EQ(word(*ended, "reason"), "at_most");
  EXPECT_NEAR(number(*ended, "change_of_E"), 1 / (std::pow(2.0, 20) - 1), 1e-12);
}

// Also at the end of a period, where the run is not yet to end, and where it has ended.
TEST_F(RunEnds, AtTheSameStepWhereContinued) {
  const auto whole = run(0.01, 4);
  for (const std::int64_t stop : {Steps::value_type{40}, 3 * period, 3 * period + 2, 7 * period + 16, 9 * period}) {
    const auto parts = run(0.01, 4, stop);
    EXPECT_EQ(parts->stepper.steps_done(), whole->stepper.steps_done()) << stop;
    EXPECT_EQ(number(*parts, "change_of_E"), number(*whole, "change_of_E")) << stop;
    EXPECT_EQ(number(*parts, "change_of_energy"), number(*whole, "change_of_energy")) << stop;
    EXPECT_EQ(parts->fields.sums, whole->fields.sums) << stop;
  }
}

// A run with other sums before: comparison waits for whole periods of its own.
TEST_F(RunEnds, AfterOtherSumsFromTheNextPeriodOn) {
  auto of_before = plan();
  of_before.frequencies = {2 * frequency};
  Run before(io::Results{files_, comm_});
  add_observers(before, 1e-9, of_before);
  Timers timers;
  const std::int64_t stop = 7 * period + 8;
  solver::time_loop(before.stepper, stop, before.list, timers);
  std::vector<solver::State> states;
  for (const auto& o : before.list) states.push_back(o->save());
  before.list.clear();
  before.fields.starts.clear(), before.fields.sums.clear();
  add_observers(before, 0.01, plan());
  for (std::size_t i = 0; i < states.size(); ++i) before.list[i]->load(states[i], stop);
  solver::time_loop(before.stepper, most, before.list, timers, solver::Start::continued);
  EXPECT_EQ(before.stepper.steps_done(), 10 * period);
  EXPECT_EQ(before.fields.sums.front(), 8 * period + interval);
  EXPECT_EQ(before.fields.starts.front(), 8 * period + interval);
  FourierSums too_late(plan(8 * period), before.fields);
  EXPECT_THROW(too_late.load(states[1], stop), Error);
}

/// The energy falls from 1 J by 10 dB in 100 steps; sources have done 1 J.
class Decaying final : public solver::Figures {
 public:
  explicit Decaying(const solver::Stepper& stepper) : stepper_(stepper) {}
  std::int64_t dip = -1;  // a step at which it is small by chance
  double energy() override {
    const auto n = stepper_.steps_done();
    return n == dip ? 1e-9 : std::pow(10, -double(n) / 100);
  }
  solver::SourceWork work() const override { return {1, 1, 0}; }
  solver::Instability find_instability(double&) const override { return {}; }
  void start_dft(const std::vector<double>&) override {}
  void accumulate_dft(double) override {}

 private:
  const solver::Stepper& stepper_;
};

class Decays : public testing::Test {
 protected:
  /// The last step of a run with samples at multiples of 10.
  std::int64_t last_step(const Decay& decay, std::int64_t at_most, std::int64_t dip = -1, std::int64_t stop = 0) {
    solver::FakeStepper stepper(dt);
    Decaying fields(stepper);
    fields.dip = dip;
    solver::Observers list;
    const auto add = [&] {
      auto energy = std::make_unique<Energy>(10, at_most, false, fields, comm_);
      energy->end_when_decayed(decay);
      list.push_back(std::move(energy));
    };
    add();
    Timers timers;
    solver::time_loop(stepper, stop > 0 ? stop : at_most, list, timers);
    if (stop > 0) {
      const auto state = list[0]->save();
      list.clear();
      add();
      list[0]->load(state, stepper.steps_done());
      solver::time_loop(stepper, at_most, list, timers, solver::Start::continued);
    }
    const auto folder = std::filesystem::temp_directory_path() / ("dgtd_decays_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    io::ResultFiles files(folder);
    io::Results r{files, comm_};
    r.summary.steps = stepper.steps_done();
    list[0]->finish(r);
    std::filesystem::remove_all(folder);
    end_ = r.summary.keys.at("run_end");
    return stepper.steps_done();
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
  io::Value end_;
};

// -50 dB at step 500; the period of a carrier of 1/20 Hz is 40 steps.
TEST_F(Decays, WhenTheEnergyIsBelowTheLevelForAPeriod) {
  EXPECT_EQ(last_step({-50, 0, 0}, 2000), 500);
  EXPECT_EQ(end_.at("reason").get<std::string>(), "decayed");
  EXPECT_NEAR(end_.at("energy_dB").get<double>(), -50, 1e-9);
  EXPECT_EQ(last_step({-50, 0, 0.05}, 2000), 540);
  EXPECT_NEAR(end_.at("periods").get<double>(), 540 * dt * 0.05, 1e-12);
  EXPECT_EQ(last_step({-50, 0, 0.05}, 2000, 200), 540);
}

TEST_F(Decays, NotBeforeTheSourcesAreOver) { EXPECT_EQ(last_step({-50, 700 * dt, 0.05}, 2000), 700); }

TEST_F(Decays, AtMost) {
  EXPECT_EQ(last_step({-50, 0, 0.05}, 333), 333);
  EXPECT_EQ(end_.at("reason").get<std::string>(), "at_most");
  EXPECT_NEAR(end_.at("energy_dB").get<double>(), -33.3, 1e-9);
}

TEST_F(Decays, AtTheSameStepWhereContinued) {
  for (const std::int64_t stop : {300, 505, 520, 540})
    EXPECT_EQ(last_step({-50, 0, 0.05}, 2000, -1, stop), 540) << stop;
}

}  // namespace
}  // namespace dgtd::observers
