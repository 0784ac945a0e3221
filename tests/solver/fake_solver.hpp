#pragma once
// A solver without fields: its numbers are functions of the step, so that observers can be tested alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dgtd/solver/solver.hpp"

namespace dgtd::solver {

class FakeSolver final : public Solver {
 public:
  explicit FakeSolver(double time_step = 0.5) : time_step_(time_step) {}

  std::vector<std::int64_t> advances;  // steps of each call
  std::vector<std::int64_t> sums;      // steps at which accumulate_dft was called
  double growth = 0;                   // of the energy per step
  double gross = 0;                    // J, work of sources that cancel each other

  Clock clock() const override { return {steps_, time_step_}; }
  std::int64_t unknowns() const override { return 1; }
  double compulsory_bytes_per_step() const override { return 1; }
  double operations_per_step() const override { return 1; }
  void advance(std::int64_t steps) override {
    advances.push_back(steps);
    steps_ += steps;
  }
  double energy() override { return 1 + growth * double(steps_); }
  double source_work() const override { return 0.1 * std::sin(double(steps_)); }
  double incident_work_bound() const override { return 0; }
  double gross_work() const override { return std::max(gross, std::abs(source_work())); }
  Instability find_instability(double& severity) const override {
    severity = 1;
    return {7, {1, 2, 3}, "skin"};
  }
  void start_dft(const std::vector<double>& angular_frequencies) override { frequencies = angular_frequencies; }
  void accumulate_dft(double) override { sums.push_back(steps_); }
  std::uint64_t fields_hash() const override { return static_cast<std::uint64_t>(steps_); }
  void set_fields(const VectorFunction&, const VectorFunction&) override {}
  void randomise_fields() override {}
  std::array<double, 4> squared_errors(const VectorFunction&, const VectorFunction&) const override {
    return {4, 16, 9, 36};
  }
  bool add_probe(const std::string&, const Vec3&, const std::string&) override { return true; }
  FieldSample probe(const std::string&) const override {
    return {{double(steps_), 0, 1.0 / 3}, {0, std::sqrt(double(steps_)), 0}};
  }
  double halo_wait_seconds() const override { return 0; }
  Occupancy occupancy() const override { return {}; }
  double memory_bytes() const override { return 0; }
  double copy_bandwidth() override { return 1; }
  void wait() override { ++waits; }

  std::vector<double> frequencies;
  int waits = 0;

 private:
  double time_step_;
  std::int64_t steps_ = 0;
};

}  // namespace dgtd::solver
