// The energy of the fields as an observer: its samples, the watch over it, and the same from two halves of a run.
#include <gtest/gtest.h>

#include "observer_fixture.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/observers/energy.hpp"
#include "support/error_message.hpp"

namespace dgtd::observers {
namespace {

TEST_F(ObserverTest, EnergyIsSampledAtItsIntervalAndAtTheEnd) {
  const Make make = [&](FakeSolver& fake, io::ResultFiles&) {
    return std::make_unique<Energy>(10, 25, true, fake.figures, comm_);
  };
  const auto at = directory("whole");
  const auto results = run(make, at, 25);
  const std::string table = text(at / "energy.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "step,t_s,energy_J,source_work_J");
  Steps steps;
  for (std::size_t p = table.find('\n'); p + 1 < table.size(); p = table.find('\n', p + 1))
    steps.push_back(std::stoll(table.substr(p + 1)));
  EXPECT_EQ(steps, (Steps{0, 10, 20, 25}));
  EXPECT_EQ(results.summary.keys.at("energy").at("first_J").get<double>(), 1);
  EXPECT_EQ(results.summary.keys.at("energy").at("relative_drift").get<double>(), 0);
}

TEST_F(ObserverTest, EnergyFromNowhereStopsTheRun) {
  FakeSolver fake;
  fake.figures.growth = 0.1;
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::make_unique<Energy>(10, 100, true, fake.figures, comm_));
  Timers timers;
  const std::string text = message([&] { solver::time_loop(fake.stepper, 100, list, timers); }, ExitCode::unstable);
  EXPECT_NE(text.find("unstable at step 10, t = 5 s: the energy 2 J exceeds the energy supplied"), std::string::npos) << text;
  EXPECT_NE(text.find("element 7 (skin, centre 1 2 3 m)"), std::string::npos) << text;
}

// With one of a medium comes the advice to check it, with one of a layer that about convolutional layers.
TEST_F(ObserverTest, AnUnstableRunNamesTheLayerInWhichItGrows) {
  const auto text_of = [&](const char* material) {
    FakeSolver fake;
    fake.figures.growth = 0.1;
    fake.figures.material = material;
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(std::make_unique<Energy>(10, 100, true, fake.figures, comm_));
    Timers timers;
    return message([&] { solver::time_loop(fake.stepper, 100, list, timers); }, ExitCode::unstable);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const std::string in_medium = text_of("skin"), in_layer = text_of("air (layer)");
  EXPECT_TRUE(has(in_medium, "(skin, centre 1 2 3 m); lower solver.cfl_fraction, or check the materials")) << in_medium;
  EXPECT_TRUE(has(in_layer,
                  "(air (layer), centre 1 2 3 m); lower solver.cfl_fraction; if the layer is of type cpml, a "
                  "larger loss or type passive"))
      << in_layer;
}

// A run that is stopped states until when it was good.
TEST_F(ObserverTest, AnUnstableRunHasALastGoodStep) {
  FakeSolver fake;
  fake.figures.growth = 0.004;
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::make_unique<Energy>(10, 100, true, fake.figures, comm_));
  Timers timers;
  try {
    solver::time_loop(fake.stepper, 100, list, timers);
    ADD_FAILURE();
  } catch (const Unstable& error) {
    EXPECT_EQ(fake.stepper.steps_done() - error.last_good_step(), 10);
    EXPECT_GT(error.last_good_step(), 0);
  }
}

// Sources that cancel each other may leave 1e-5 of their gross work, not more.
TEST_F(ObserverTest, EnergyOfRoundingErrorsIsAllowed) {
  for (const double gross : {1e4, 1e6}) {
    FakeSolver fake;
    fake.figures.growth = 0.1;
    fake.figures.gross = gross;
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(std::make_unique<Energy>(10, 80, true, fake.figures, comm_));
    Timers timers;
    if (gross > 1e5) EXPECT_NO_THROW(solver::time_loop(fake.stepper, 80, list, timers));
    else EXPECT_THROW(solver::time_loop(fake.stepper, 80, list, timers), Unstable);
  }
}

TEST_F(ObserverTest, EnergySavedHalfWayIsTheSame) {
  const Make make = [&](FakeSolver& fake, io::ResultFiles&) {
    return std::make_unique<Energy>(7, 50, true, fake.figures, comm_);
  };
  const auto whole = directory("whole"), parts = directory("parts");
  run(make, whole, 50), run_in_two_parts(make, parts, 30, 50);
  EXPECT_EQ(text(whole / "energy.csv"), text(parts / "energy.csv"));
  EXPECT_GT(text(whole / "energy.csv").size(), 100u);
}

}  // namespace
}  // namespace dgtd::observers
