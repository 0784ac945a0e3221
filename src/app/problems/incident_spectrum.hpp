#pragma once
// Incident spectra to which cross sections and gains refer.
#include "dgtd/config/case.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/observers/ports.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

/// Energy per frequency and area, J/(Hz m^2), one-sided, over the steps that are done when it is asked for, of a plane
/// wave that is the only source of the case; without one, and where the wave does not come from vacuum, nothing. run:
/// outlives what is returned.
observers::IncidentSpectrum incident_spectrum(const config::Case& c, const solver::Stepper& run, bool from_vacuum);

/// Spectrum that excited ports supply where they are the only sources; else empty, as without `guides` where one of them
/// is across a guide. case, records (null: no ports) and their steps of dt, s, outlive it.
observers::DrivenSpectrum driven_spectrum(const config::Case& c, solver::PortRecords* records, double dt,
                                          observers::GuideSpectra guides = {});

/// The spectrum that makes a far field that of an antenna; empty, with a warning, where a port across a guide that is
/// excited does not have a frequency of the far field. ports: null without ports; it and comm outlive the spectrum.
observers::DrivenSpectrum antenna_spectrum(const config::Case& c, const physics::FarField& far, solver::PortRecords* records,
                                           double dt, const observers::Ports* ports, const parallel::Communicator& comm);

}  // namespace dgtd::app
