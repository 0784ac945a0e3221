#pragma once
// What cross sections refer to.
#include "dgtd/config/case.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

/// Energy per frequency and area, J/(Hz m^2), one-sided, over the steps that are done when it is asked for, of a plane
/// wave that is the only source of the case; without one, and where the wave does not come from vacuum, nothing. run:
/// outlives what is returned.
observers::IncidentSpectrum incident_spectrum(const config::Case& c, const solver::Stepper& run, bool from_vacuum);

}  // namespace dgtd::app
