#pragma once
// The error of the last fields against an exact solution.
#include <functional>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// Fields over time: V/m and A/m at a time in s.
struct ExactSolution {
  std::function<solver::VectorFunction(double time)> electric, magnetic;
};

class ExactError final : public solver::Observer {
 public:
  /// clock: that of the fields. The others outlive the observer.
  ExactError(ExactSolution exact, const solver::Fields& fields, const solver::Stepper& clock,
             const parallel::Communicator& comm)
      : exact_(std::move(exact)), fields_(fields), stepper_(clock), comm_(comm) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// Key and section of the relative L2 errors of E and H.
  void finish(io::Results& results) override;

 private:
  ExactSolution exact_;
  const solver::Fields& fields_;
  const solver::Stepper& stepper_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
