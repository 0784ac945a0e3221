#pragma once
// Common part of the observers of Fourier sums on regions (fluxes, far fields, monitors).
#include <vector>

#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::observers {

/// Registers regions and adds samples to their sums when they are due.
class RegionObserver : public solver::Observer {
 public:
  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;

 protected:
  /// The spectra outlive the observer.
  explicit RegionObserver(solver::RegionSpectra& spectra) : spectra_(spectra) {}
  /// Returns the region's number. Throws Error (bad_input) where the domain has no such region.
  std::size_t add(const solver::Region& region);
  const solver::RegionSpectra& spectra() const { return spectra_; }

 private:
  struct Sampled {
    std::size_t region;
    std::int64_t interval;  // steps
  };
  solver::RegionSpectra& spectra_;
  std::vector<Sampled> sampled_;
};

}  // namespace dgtd::observers
