#pragma once
// Spectra of the energy through surfaces: flux_NAME.csv.
#include <vector>

#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/spectral_solver.hpp"

namespace dgtd::observers {

/// Spectral energy per area of the only plane wave of a run at frequencies (Hz), J/(Hz m^2); empty without one.
using IncidentSpectrum = std::function<std::vector<double>(const std::vector<double>& frequencies)>;

class Fluxes final : public solver::Observer {
 public:
  /// Registers the surfaces with the solver, which outlives the observer. Throws Error (bad_input) for surfaces outside
  /// the grid.
  Fluxes(std::vector<physics::Flux> fluxes, solver::SpectralSolver& solver, double highest_source, double time_step,
         IncidentSpectrum incident);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  /// With an incident wave, a column of cross sections.
  void finish(io::Results& results) override;

 private:
  struct Surface {
    physics::Flux flux;
    std::size_t number;     // in the solver
    std::int64_t interval;  // steps
  };
  std::vector<Surface> surfaces_;
  solver::SpectralSolver& solver_;
  IncidentSpectrum incident_;
};

}  // namespace dgtd::observers
