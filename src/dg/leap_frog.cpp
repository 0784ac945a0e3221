#include "dgtd/dg/leap_frog.hpp"

#include "dgtd/base/constants.hpp"

namespace dgtd::dg {

template <class Real>
LeapFrog<Real>::LeapFrog(const Dynamics<Real>& dynamics, double dt, std::int64_t expected)
    : LeapFrog(dynamics, dt, nullptr, 0) {
  expected_ = expected;
  if (dynamics_.d.time_levels.finest == 0) return;
  own_steps_ = std::make_unique<LocalSteps<Real>>(dynamics_.d, dynamics_.executor);
  local_steps_ = own_steps_.get();
}

template <class Real>
LeapFrog<Real>::LeapFrog(const Dynamics<Real>& dynamics, double dt, LocalSteps<Real>* steps, std::size_t part)
    : dynamics_(dynamics), dt_(dt), local_steps_(steps), part_(part) {
  dynamics_.d.set_time_step(dt);
  dynamics_.executor.load_half_steps();
}

template <class Real>
std::optional<std::vector<StepCurrent>> LeapFrog<Real>::resident_currents(SourceTerms<Real>& sources,
                                                                          std::int64_t steps) const {
  if (local_steps_ || steps < least_resident_steps) return std::nullopt;
  auto currents = sources.step_currents();
  if (!dynamics_.executor.can_take_steps(currents, expected_)) currents.reset();
  return currents;
}

template <class Real>
std::int64_t LeapFrog<Real>::steps_at_once(SourceTerms<Real>& sources, std::int64_t wanted) const {
  if (resident_currents(sources, wanted)) return std::min<std::int64_t>(wanted, most_resident_steps);
  return Integrator<Real>::steps_at_once(sources, wanted);
}

template <class Real>
void LeapFrog<Real>::advance(SourceTerms<Real>& sources, const std::vector<double>& times) {
  if (const auto currents = resident_currents(sources, static_cast<std::int64_t>(times.size()))) {
    sources.begin_work(dynamics_.electric);
    std::vector<double> middles;
    for (const double time : times) middles.push_back(time + 0.5 * dt_);
    return dynamics_.executor.take_steps(static_cast<int>(times.size()), dynamics_.electric, dynamics_.magnetic,
                                         *currents, sources.step_numbers(middles));
  }
  start_local_steps();
  begin(sources, times);
  const auto steps = static_cast<int>(times.size());
  const auto step = [&](int i) {
    for (const HalfStep half : {HalfStep::magnetic, HalfStep::electric}) {
      start_half_step(half, sources, i);
      end_half_step(half, sources, i);
    }
  };
  if (!sources.have_messages()) return dynamics_.executor.repeat_steps(steps, step);
  for (int i = 0; i < steps; ++i) step(i);
}

template <class Real>
void LeapFrog<Real>::begin(SourceTerms<Real>& sources, const std::vector<double>& times) {
  sources.begin_work(dynamics_.electric);
  std::vector<double> instants;
  for (const double time : times)
    for (const double instant : {time, time - 0.5 * dt_, time + 0.5 * dt_}) instants.push_back(instant);
  sources.set_instants(instants);
}

// The step of report 7592, eq. (8). H first, so that E and H end at n + 1 and n + 1/2:
//   M_mu  (H^{n+1/2} - H^{n-1/2}) / dt = -S^t E^n     + C_H H^{n-1/2}
//   M_eps (E^{n+1}   - E^n)       / dt =  S H^{n+1/2} + C_E E^n - M_sigma (E^n + E^{n+1}) / 2 - J^{n+1/2}
template <class Real>
void LeapFrog<Real>::start_half_step(HalfStep half, SourceTerms<Real>& sources, int i) {
  auto& [d, executor, electric, magnetic, comm] = dynamics_;
  const int now = SourceTerms<Real>::instants_per_step * i, before = now + 1, middle = now + 2;
  if (half == HalfStep::magnetic) {
    sources.write_incident_electric(electric, now);
    sources.write_incident_magnetic(magnetic, before);
    sources.begin_magnetic(magnetic, local_steps_ != nullptr ? &unfiltered() : nullptr, now);
    return update_magnetic();
  }
  sources.write_incident_magnetic(magnetic, middle);
  sources.begin_electric(electric, middle);
  executor.update(HalfStep::electric, magnetic, electric, d.batches);
}

template <class Real>
void LeapFrog<Real>::end_half_step(HalfStep half, SourceTerms<Real>& sources, int i) {
  auto& [d, executor, electric, magnetic, comm] = dynamics_;
  if (half == HalfStep::magnetic) return sources.end_magnetic(magnetic);
  const int middle = SourceTerms<Real>::instants_per_step * i + 2;
  sources.add_to_electric(electric, middle);
  sources.end_electric(electric, middle);
}

// With local time steps H is F_1 U, and it is U that takes the half step. Of parts all have to take it before H is
// filtered.
template <class Real>
void LeapFrog<Real>::update_magnetic() {
  auto& [d, executor, electric, magnetic, comm] = dynamics_;
  if (local_steps_ == nullptr) return executor.update(HalfStep::magnetic, electric, magnetic, d.batches);
  executor.update_unfiltered(electric, unfiltered(), magnetic, [&, &h = magnetic] {
    if (own_steps_) own_steps_->filter(1, {&h}, {&unfiltered()});
  });
}

// The steps of all parts are started by the solver of all parts.
template <class Real>
void LeapFrog<Real>::start_local_steps() {
  if (own_steps_ && !own_steps_->is_started) own_steps_->start_from({&dynamics_.magnetic}, dynamics_.comm);
}

template <class Real>
void LeapFrog<Real>::take_random_fields() {
  if (own_steps_) own_steps_->start_random({&dynamics_.magnetic});
}

// 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}). H^{n+1/2} is computed as in the step, element by element, and not
// kept.
template <class Real>
double LeapFrog<Real>::energy(SourceTerms<Real>& sources, double time) {
  auto& [d, executor, electric, magnetic, comm] = dynamics_;
  sources.set_instants({time, time - 0.5 * dt_});
  sources.write_incident_electric(electric, 0);
  sources.write_incident_magnetic(magnetic, 1);
  start_local_steps();
  return executor.energy(electric, local_steps_ != nullptr ? &unfiltered() : nullptr, magnetic, d.batches);
}

// Cb Z0: dt / eps, with the factor 1 / (1 + s), s = sigma dt / (2 eps), of conduction averaged in time, or that of
// poles.
template <class Real>
CurrentResponse LeapFrog<Real>::current_response() const {
  return [dt = dt_](const physics::Medium& m) {
    return dt / (m.permittivity * vacuum_permittivity * implicit_factor(m, dt));
  };
}

template <class Real>
std::vector<typename Integrator<Real>::KeptField> LeapFrog<Real>::kept_fields() {
  if (local_steps_ == nullptr || !local_steps_->is_started) return {};
  return {{"Z0 H unfiltered", "elements of local steps", &unfiltered(), dynamics_.d.reach_of_level(1)}};
}

template <class Real>
void LeapFrog<Real>::save(solver::State& state) const {
  const bool is_known = local_steps_ != nullptr && local_steps_->is_started;
  state.set_numbers("unfiltered_is_known", {is_known ? 1.0 : 0.0});
}

template <class Real>
void LeapFrog<Real>::load(const solver::State& state) {
  if (local_steps_ != nullptr) local_steps_->is_started = state.numbers("unfiltered_is_known").at(0) != 0;
}

template class LeapFrog<float>;
template class LeapFrog<double>;

}  // namespace dgtd::dg
