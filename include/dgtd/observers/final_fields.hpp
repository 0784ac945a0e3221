#pragma once
// The field file at the end of a run: Fourier sums where there are any, else E and H at the last step.
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/observers/fourier_sums.hpp"

namespace dgtd::observers {

/// Comes after the observers that add arrays of elements or cells.
class FinalFields final : public solver::Observer {
 public:
  /// The writer outlives the observer.
  FinalFields(const FieldWriter& writer, FourierPlan plan) : writer_(writer), plan_(std::move(plan)) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(solver::Solver&) override {}
  void finish(io::Results& results) override;

 private:
  const FieldWriter& writer_;
  FourierPlan plan_;
};

}  // namespace dgtd::observers
