#pragma once
// Estimate of the error in space at the end of a run on tetrahedra: per element as arrays of the last field file and in element_errors.csv, per
// material and of the largest SAR in summary.json, the report and the console.
#include <optional>
#include <string>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/solver/error_indicators.hpp"

namespace dgtd::observers {

/// Arrays that it adds to the last field file, for so many frequencies of Fourier sums (none: the fields at the end).
std::size_t error_quantities(std::size_t frequencies);

class ErrorEstimate final : public solver::Observer {
 public:
  /// Estimates errors of Fourier sums where there are any, else of the fields at the last step. Added after the
  /// observers of SAR, whose peaks it finds in the results. Solver and mesh outlive the observer.
  /// identity: of the mesh.
  ErrorEstimate(const solver::ErrorIndicators& solver, const mesh::Subdomain& mesh, std::uint64_t identity,
                FourierPlan sums)
      : solver_(solver), mesh_(mesh), identity_(identity), sums_(std::move(sums)) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  void finish(io::Results& results) override;
  double output_bytes() const override;

 private:
  const solver::ErrorIndicators& solver_;
  const mesh::Subdomain& mesh_;
  std::uint64_t identity_;
  FourierPlan sums_;
};

}  // namespace dgtd::observers
