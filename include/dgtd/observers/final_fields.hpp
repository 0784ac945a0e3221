#pragma once
// The field file at the end of a run: Fourier sums where there are any, else E and H at the last step.
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/observers/fourier_sums.hpp"

namespace dgtd::observers {

class FinalFields final : public solver::Observer {
 public:
  /// quantities: of elements or cells that other observers will add to the results.
  /// Writer and communicator outlive the observer.
  FinalFields(const FieldWriter& writer, FourierPlan plan, std::size_t quantities, const parallel::Communicator& comm)
      : writer_(writer), plan_(std::move(plan)), expected_quantities_(quantities), comm_(comm) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;

 private:
  const FieldWriter& writer_;
  FourierPlan plan_;
  std::size_t expected_quantities_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
