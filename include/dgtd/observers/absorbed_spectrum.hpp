#pragma once
// absorbed.csv: the power that each material absorbs at each frequency, where there are several or the sums are
// integrals over the run.
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/power_meter.hpp"

namespace dgtd::observers {

class AbsorbedSpectrum final : public solver::Observer {
 public:
  /// The meter outlives the observer.
  AbsorbedSpectrum(const PowerMeter& meter, FourierPlan sums) : meter_(meter), sums_(std::move(sums)) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  void finish(io::Results& results) override;

 private:
  const PowerMeter& meter_;
  FourierPlan sums_;
};

}  // namespace dgtd::observers
