#pragma once
// A line in subdomains as a solver. Its subdomains are solved one after the other from the first step to the last one
// (reproductions/line/solve.hpp), so that all steps are computed at the first advance(); afterwards only the clock
// advances. Fields of the whole line are known at t = 0 and at the last step, and those of probes at every step.
#include <limits>
#include <map>
#include <memory>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/reproductions/line/solve.hpp"

namespace dgtd::app {

template <class Real>
class LineSolver final : public grid::GridSolver {
 public:
  /// whole: the same line without sources, whose fields become those of the last step. cuda: compute on the current
  /// device.
  LineSolver(reproductions::LineProblem<Real> problem, std::unique_ptr<fdtd::FdtdSolver<Real>> whole, bool cuda)
      : problem_(std::move(problem)), whole_(std::move(whole)), cuda_(cuda) {}

  solver::Clock clock() const override { return {step_, whole_->time_step()}; }
  /// A subdomain's fields stay in registers.
  solver::Costs costs() const override {
    return {2 * whole_->grid().cells(0), 1, 0, whole_->costs().operations_per_step};
  }
  void advance(std::int64_t steps) override;
  /// At t = 0 and at the last step.
  double energy() override {
    require_fields();
    return whole_->energy();
  }
  /// Not measured.
  solver::SourceWork work() const override { return {0, 0, std::numeric_limits<double>::infinity()}; }
  solver::Instability find_instability(double& severity) const override { return whole_->find_instability(severity); }
  void start_dft(const std::vector<double>&) override {}  // refused by config: there are no fields between the ends
  void accumulate_dft(double) override {}
  std::uint64_t fields_hash() const override { return whole_->fields_hash(); }
  void set_fields(const solver::VectorFunction&, const solver::VectorFunction&) override;  // throws Error
  void randomise_fields() override {}
  std::array<double, 4> squared_errors(const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) const override {
    return whole_->squared_errors(electric, magnetic);
  }
  /// Before the first advance().
  bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) override;
  solver::FieldSample probe(const std::string& name) const override;
  double halo_wait_seconds() const override { return 0; }
  Occupancy occupancy() const override { return {}; }
  double memory_bytes() const override;
  double copy_bandwidth() override { return whole_->copy_bandwidth(); }
  void wait() override {}

  const grid::CartesianGrid& grid() const override { return whole_->grid(); }
  const grid::Block& block() const override { return whole_->block(); }
  std::vector<float> sample_cells(solver::Quantity quantity) const override {
    require_fields();
    return whole_->sample_cells(quantity);
  }
  std::unique_ptr<grid::CellSampler> cell_sampler(solver::Quantity quantity) const override {
    require_fields();
    return whole_->cell_sampler(quantity);
  }

  const reproductions::LineResult<Real>& result() const { return result_; }  // after advance()

 private:
  struct Probe {
    std::size_t here;  // record of the cell's lower node
    bool has_above;    // the next record is that of the upper node; else E is zero there
  };
  void solve();
  /// Throws Error between the first step and the last one, where the line has no fields.
  void require_fields() const;

  reproductions::LineProblem<Real> problem_;
  std::unique_ptr<fdtd::FdtdSolver<Real>> whole_;
  bool cuda_;
  std::map<std::string, Probe> probes_;
  reproductions::LineResult<Real> result_;
  std::int64_t step_ = 0;
};

}  // namespace dgtd::app
