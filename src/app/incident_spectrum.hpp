#pragma once
// What cross sections refer to.
#include "time_plan.hpp"
#include "dgtd/observers/fluxes.hpp"

namespace dgtd::app {

/// Energy per frequency and area, J/(Hz m^2), one-sided, over the run, of a plane wave that is the only source of the
/// case; without one, and where the wave does not come from vacuum, nothing.
observers::IncidentSpectrum incident_spectrum(const config::Case& c, const TimePlan& plan, bool from_vacuum);

}  // namespace dgtd::app
