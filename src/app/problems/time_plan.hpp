#pragma once
// Number and length of the steps of a run, and the steps that enter energies and Fourier sums.
#include <cstdint>

#include "dgtd/config/case.hpp"
#include "dgtd/observers/fourier_sums.hpp"

namespace dgtd::app {

struct TimePlan {
  double time_step = 0;                                      // s
  std::int64_t steps = 0;                                    // at most, where the fields end the run
  config::RunEnd::Type end = config::RunEnd::Type::seconds;  // seconds: after all steps
  std::int64_t steps_per_period = 0;                         // 0 without a frequency
  std::int64_t energy_interval = 1;                          // steps
  bool spectra_of_pulse = false;  // over the whole run, of sources that end: fields should have faded by then
  observers::FourierPlan fourier;
};

/// Whether a monitor has Fourier integrals of its own over the whole run: always on grids; on tetrahedra where not all
/// of its frequencies are among those of [dft], whose sums it shows otherwise.
bool has_own_sums(const config::Case& c, const physics::Monitor& monitor);

/// largest: the longest time step allowed, s. Where time.frequency is set its period is a whole number of steps. A
/// field with 32 time steps per period, whose sources have no frequencies that would alias (physics/sampling.hpp), need
/// not be sampled at every step: the Fourier sums take every s-th, where s is chosen so that the number of steps per
/// period increases least. A run shorter than its window has no Fourier sums. Where the fields end the run, its steps
/// are those of time.at_most, whole periods with sums of each where it ends when they are steady. steps_override > 0:
/// in place of the case's steps, after which the run then ends. continued > 0: the time step, s, of the run that this
/// one continues, which it keeps; time.end is then reached by whole steps of that length. Throws Error (bad_input) for
/// a run without a step, for runs and periods of more than 1e15 steps, for a time step that is not from 1e-30 to 1e30
/// s, and where `continued` is not a time step of the case.
TimePlan make_time_plan(const config::Case& c, double largest, std::int64_t steps_override = 0, double continued = 0);

/// "1460 steps", with steps per period where there are periods; of a run that its fields end "at most 1460 steps, until
/// ...".
std::string text_of(const TimePlan& plan, const config::Time& time);

/// The lowest carrier of the case's pulses, Hz; 0 without pulses.
double lowest_pulse_carrier(const config::Case& c);

}  // namespace dgtd::app
