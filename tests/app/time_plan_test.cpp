#include <gtest/gtest.h>

#include <algorithm>

#include "app/problems/time_plan.hpp"
#include "dgtd/base/error.hpp"

namespace {

using dgtd::app::make_time_plan;
using dgtd::app::text_of;

dgtd::config::Case five_periods() {
  dgtd::config::Case c;
  c.time.frequency = 1e9;
  c.time.periods = 5;
  c.dft.frequencies = {1e9};
  return c;
}

TEST(TimePlan, PeriodIsAWholeNumberOfStepsBelowTheLimit) {
  const auto s = make_time_plan(five_periods(), 1.3e-12);
  EXPECT_GE(s.steps_per_period, 770);  // 1 ns / 1.3 ps = 769.2
  EXPECT_LE(s.steps_per_period, 778);  // a DFT stride may add about 1 %
  EXPECT_DOUBLE_EQ(s.time_step * double(s.steps_per_period), 1e-9);
  EXPECT_LE(s.time_step, 1.3e-12);
  EXPECT_EQ(s.steps, 5 * s.steps_per_period);
}

TEST(TimePlan, DftSamplesDivideTheLastPeriodEvenly) {
  const auto s = make_time_plan(five_periods(), 1.3e-12);
  std::int64_t samples = 0;
  for (std::int64_t n = 1; n <= s.steps; ++n) samples += s.fourier.next(n) == n;
  EXPECT_EQ(samples * s.fourier.interval, s.steps_per_period);
  EXPECT_GE(samples, 32);
  EXPECT_NEAR(s.fourier.weight * double(samples), 2, 1e-12);
  EXPECT_EQ(s.fourier.next(s.steps), s.steps);
  EXPECT_GT(s.fourier.next(s.fourier.first), s.fourier.first);
}

TEST(TimePlan, HarmonicsAreSampledAsDensely) {
  auto c = five_periods();
  c.dft.frequencies = {1e9, 3e9};
  const auto s = make_time_plan(c, 1.3e-12);
  EXPECT_GE(s.steps_per_period / s.fourier.interval, 96);
}

dgtd::physics::Source source(dgtd::physics::Waveform waveform) {
  dgtd::physics::Source source;
  source.waveform = waveform;
  return source;
}

// A rate of the frequency and the highest one of the sources together: 1 GHz + 20 GHz + 2.232 * 12 GHz.
TEST(TimePlan, SamplesOverTheWholeRunAreAsDenseAsTheSourcesNeed) {
  dgtd::config::Case c;
  c.time.end = 1e-8;
  c.dft.frequencies = {1e9};
  c.dft.window = dgtd::config::Dft::Window::all;
  EXPECT_NEAR(make_time_plan(c, 1e-13).fourier.interval, 1 / 32e9 / 1e-13, 1);
  c.sources = {source({dgtd::physics::Waveform::Type::modulated_gaussian, 20e9, 2, 12e9})};
  EXPECT_NEAR(make_time_plan(c, 1e-13).fourier.interval, 1 / 47.78e9 / 1e-13, 1);
}

// 33 f sampled 32 times per period of f would be f.
TEST(TimePlan, HarmonicsOfTheSourcesDoNotAliasIntoThePeriod) {
  auto c = five_periods();
  EXPECT_GE(make_time_plan(c, 1.3e-12).steps_per_period / make_time_plan(c, 1.3e-12).fourier.interval, 32);
  c.sources = {source({dgtd::physics::Waveform::Type::sine, 33e9, 0, 0})};
  const auto s = make_time_plan(c, 1.3e-12);
  EXPECT_GT(s.steps_per_period / s.fourier.interval, 34);
}

TEST(TimePlan, RunShorterThanAPeriodHasNoDft) {
  EXPECT_TRUE(make_time_plan(five_periods(), 1.3e-12, 10).fourier.frequencies.empty());
}

std::string refusal(const dgtd::config::Case& c, double largest) {
  try {
    make_time_plan(c, largest);
  } catch (const dgtd::Error& error) {
    EXPECT_EQ(error.code(), dgtd::ExitCode::bad_input);
    return error.what();
  }
  return "none";
}

TEST(TimePlan, RefusesNumbersOfStepsThatCannotBeCounted) {
  dgtd::config::Case c;
  c.time.end = 1e300;
  EXPECT_EQ(refusal(c, 1e-12), "time.end = 1e+300 s is more than 1e+15 time steps");
  c.time = {};
  c.time.steps = std::int64_t{1} << 60;
  EXPECT_EQ(refusal(c, 1e-12), "time.steps = 1152921504606846976 is more than 1e+15 time steps");
  c = five_periods();
  c.time.periods = 1e18;
  EXPECT_EQ(refusal(c, 1e-12), "time.periods = 1e+18 is more than 1e+15 time steps");
  c.time.periods = 1e-9;
  EXPECT_EQ(refusal(c, 1e-12), "time.periods = 1e-09 is less than half a time step of 1e-12 s");
  c.time.frequency = 1e-30;
  EXPECT_EQ(refusal(c, 1e-12), "a period of time.frequency = 1e-30 Hz is more than 1e+15 time steps");
  EXPECT_EQ(refusal(five_periods(), 1e-310),
            "the largest stable time step is 1e-310 s; allowed are 1e-30 to 1e+30 s: check lengths and materials");
}

TEST(TimePlan, EndIsMetExactlyWithoutFrequency) {
  dgtd::config::Case c;
  c.time.end = 1e-8;
  const auto s = make_time_plan(c, 3e-11);
  EXPECT_EQ(s.steps, 334);
  EXPECT_DOUBLE_EQ(s.time_step * 334, 1e-8);
}

using End = dgtd::config::RunEnd::Type;

// Whole periods, each with sums of its own.
TEST(TimePlan, ARunUntilItIsSteadyHasSumsOfEachPeriod) {
  auto c = five_periods();
  const auto five = make_time_plan(c, 1.3e-12);
  c.time.periods.reset();
  c.time.end = End::steady;
  const auto s = make_time_plan(c, 1.3e-12);
  EXPECT_EQ(s.time_step, five.time_step);
  EXPECT_EQ(s.steps, 100 * five.steps_per_period);
  EXPECT_EQ(s.fourier.period, s.steps_per_period);
  EXPECT_EQ(s.fourier.first, 0);
  EXPECT_EQ(s.fourier.weight, five.fourier.weight);
  EXPECT_EQ(s.fourier.begin(s.steps_per_period), 0);
  EXPECT_EQ(s.fourier.begin(s.steps_per_period + 1), s.steps_per_period);
  for (std::int64_t n = 1; n <= s.steps_per_period; ++n)
    EXPECT_EQ(s.fourier.next(n) + 4 * s.steps_per_period, five.fourier.next(n + 4 * s.steps_per_period)) << n;
  EXPECT_EQ(text_of(s, c.time), "at most " + std::to_string(s.steps) + " steps, " + std::to_string(s.steps_per_period) +
                                    " per period, until E changes by less than 1 % from period to period");
  c.time.at_most = 3.5e-9;
  EXPECT_EQ(make_time_plan(c, 1.3e-12).steps, 3 * s.steps_per_period);
  c.time.at_most = 1.9e-9;
  EXPECT_EQ(refusal(c, 1.3e-12),
            "time.at_most = 1.9e-09 s is less than two periods of time.frequency = 1000000000 Hz, which time.end = "
            "steady compares");
  EXPECT_EQ(make_time_plan(c, 1.3e-12, 7).steps, 7);  // of the command line
  EXPECT_EQ(make_time_plan(c, 1.3e-12, 7).end, End::seconds);
}

TEST(TimePlan, ARunUntilItHasDecayedTakesAThousandPeriodsOfTheLowestCarrierAtMost) {
  dgtd::config::Case c;
  c.time.end = End::decayed;
  c.sources = {source({dgtd::physics::Waveform::Type::modulated_gaussian, 20e9, 2, 12e9}),
               source({dgtd::physics::Waveform::Type::modulated_gaussian, 5e9, 2, 1e9})};
  const auto s = make_time_plan(c, 1e-12);
  EXPECT_EQ(s.time_step, 1e-12);
  EXPECT_EQ(s.steps, 200000);
  EXPECT_EQ(text_of(s, c.time), "at most 200000 steps, until the energy is -50 dB of its largest");
  c.time.at_most = 1e-9;
  EXPECT_EQ(make_time_plan(c, 1e-12).steps, 1000);
  c.time.at_most = 1e-13;
  EXPECT_EQ(make_time_plan(c, 1e-12).steps, 1);
}

// About a hundred samples, at steps where passes of up to eight steps end.
TEST(TimePlan, EnergySamplesDivideNoPass) {
  dgtd::config::Case c;
  for (const std::int64_t steps : {1, 90, 1216, 1700, 5000, 100000}) {
    c.time.steps = steps;
    const auto s = make_time_plan(c, 3e-11);
    EXPECT_EQ(s.energy_interval % 8, 0) << steps;
    EXPECT_GE(s.energy_interval, std::clamp<std::int64_t>(steps / 100, 16, 96)) << steps;
    EXPECT_LT(s.energy_interval, std::clamp<std::int64_t>(steps / 100, 16, 96) + 8) << steps;
  }
  c.output.energy_interval = 7;
  EXPECT_EQ(make_time_plan(c, 3e-11).energy_interval, 7);
}

}  // namespace
