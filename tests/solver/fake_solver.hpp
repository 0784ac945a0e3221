#pragma once
// Parts of a solver without fields, one for each interface that a test needs: their numbers are functions of the step,
// so that observers can be tested alone.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dgtd/solver/solver.hpp"

namespace dgtd::solver {

class FakeStepper final : public Stepper {
 public:
  explicit FakeStepper(double time_step = 0.5) : time_step_(time_step) {}

  std::vector<std::int64_t> advances;  // steps of each call
  int waits = 0;

  Clock clock() const override { return {steps_, time_step_}; }
  void advance(std::int64_t steps) override {
    advances.push_back(steps);
    steps_ += steps;
  }
  void wait() override { ++waits; }

 private:
  double time_step_;
  std::int64_t steps_ = 0;
};

class FakeFigures final : public Figures {
 public:
  explicit FakeFigures(const Stepper& stepper) : stepper_(stepper) {}

  double growth = 0;                // of the energy per step
  double gross = 0;                 // J, work of sources that cancel each other
  std::string material = "skin";    // of the element where the fields are largest
  std::vector<double> frequencies;  // of start_dft, rad/s
  std::vector<std::int64_t> sums;   // steps at which accumulate_dft was called

  double energy() override { return 1 + growth * double(stepper_.steps_done()); }
  SourceWork work() const override {
    const double done = 0.1 * std::sin(double(stepper_.steps_done()));
    return {done, std::max(gross, std::abs(done)), 0};
  }
  Instability find_instability(double& severity) const override {
    severity = 1;
    return {7, {1, 2, 3}, material};
  }
  void start_dft(const std::vector<double>& angular_frequencies) override { frequencies = angular_frequencies; }
  void accumulate_dft(double) override { sums.push_back(stepper_.steps_done()); }

 private:
  const Stepper& stepper_;
};

class FakePoints final : public PointFields {
 public:
  explicit FakePoints(const Stepper& stepper) : stepper_(stepper) {}

  bool add_probe(const std::string&, const Vec3&, const std::string&) override { return true; }
  FieldSample probe(const std::string&) const override {
    const auto steps = double(stepper_.steps_done());
    return {{steps, 0, 1.0 / 3}, {0, std::sqrt(steps), 0}};
  }

 private:
  const Stepper& stepper_;
};

}  // namespace dgtd::solver
