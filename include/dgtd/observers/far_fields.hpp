#pragma once
// Far fields from closed boxes: far_NAME.csv per direction and far_NAME_total.csv per frequency.
#include <vector>

#include "dgtd/observers/fluxes.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::observers {

class FarFields final : public solver::Observer {
 public:
  /// Registers the boxes with the solver, which outlives the observer. exterior: the lossless medium around them.
  FarFields(std::vector<physics::FarField> far_fields, physics::Medium exterior, solver::SpectralSolver& solver,
            double highest_source, double time_step, IncidentSpectrum incident);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;

 private:
  struct Box {
    physics::FarField far;
    std::size_t surface;    // in the solver
    std::int64_t interval;  // steps
  };
  void write(const Box& box, io::Results& results) const;

  std::vector<Box> boxes_;
  physics::Medium exterior_;
  solver::SpectralSolver& solver_;
  IncidentSpectrum incident_;
};

}  // namespace dgtd::observers
