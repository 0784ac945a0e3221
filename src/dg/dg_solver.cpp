#include "dgtd/dg/dg_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/dg/element_geometry.hpp"

namespace dgtd::dg {

template <class Real>
DgSolver<Real>::DgSolver(std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Executor<Real>> executor, double dt,
                         const std::vector<physics::Source>& sources, const std::vector<std::string>& material_names,
                         const parallel::Communicator& comm, solver::Integrator integrator)
    : d_(std::move(d)),
      executor_(std::move(executor)),
      comm_(comm),
      material_names_(material_names),
      dt_(dt),
      wait_before_(executor_->halo_wait_seconds()),
      electric_(d_->field_reals(), executor_->memory()),
      magnetic_(d_->field_reals(), executor_->memory()),
      mass_(d_->order) {
  d_->set_time_step(dt);
  executor_->load_half_steps();
  if (d_->time_levels.finest > 0) local_steps_ = std::make_unique<LocalSteps<Real>>(*d_, *executor_);
  if (integrator == solver::Integrator::runge_kutta) {
    assert(d_->time_levels.finest == 0 && d_->states.empty());  // of the leap-frog alone
    runge_kutta_ = std::make_unique<RungeKutta<Real>>(*d_, *executor_);
  }
  for (const auto& source : sources) {
    if (source.type == physics::Source::Type::dipole) {
      dipoles_.push_back({physics::shape_of(source.waveform), source.moment,
                          Current<Real>(dipole_coefficients(*d_, source, dt, comm), executor_->memory())});
    } else {
      const IncidentWave wave = make_incident_wave(*d_, source);
      incident_.push_back({wave.power_bound, IncidentWriter<Real>(*d_, wave, executor_->memory())});
    }
  }
}

// The step of report 7592, eq. (8). H first, so that E and H end at n + 1 and n + 1/2:
//   M_mu  (H^{n+1/2} - H^{n-1/2}) / dt = -S^t E^n     + C_H H^{n-1/2}
//   M_eps (E^{n+1}   - E^n)       / dt =  S H^{n+1/2} + C_E E^n - M_sigma (E^n + E^{n+1}) / 2 - J^{n+1/2}
template <class Real>
void DgSolver<Real>::step() {
  const double time = static_cast<double>(step_) * dt_;

  if (!voltages_are_known_)
    for (auto& dipole : dipoles_) dipole.current.measure(*executor_, electric_, 0);
  voltages_are_known_ = true;
  write_incident_electric(time);
  write_incident_magnetic(time - 0.5 * dt_);
  update_magnetic();

  write_incident_magnetic(time + 0.5 * dt_);
  executor_->update(HalfStep::electric, magnetic_, electric_, d_->batches);

  for (auto& dipole : dipoles_)
    dipole.current.add(*executor_, electric_, physics::value(dipole.shape, time + 0.5 * dt_));
  // The dipole's work on the field, -dt J . (E^n + E^{n+1}) / 2.
  for (auto& dipole : dipoles_)
    dipole.current.measure(*executor_, electric_,
                           -0.5 * dt_ * dipole.moment * physics::value(dipole.shape, time + 0.5 * dt_));
  ++step_;
}

template <class Real>
void DgSolver<Real>::runge_kutta_step() {
  runge_kutta_->step(electric_, magnetic_, clock().electric_time(), dt_,
                     [&](Field<Real>& electric, Field<Real>& magnetic, double time) {
                       for (std::size_t i = 0; i < incident_.size(); ++i) {
                         incident_[i].writer.write_electric(*executor_, electric, time, i == 0);
                         incident_[i].writer.write_magnetic(*executor_, magnetic, time, i == 0);
                       }
                     });
  ++step_;
}

// With local time steps H is F_1 U, and it is U that takes the half step.
template <class Real>
void DgSolver<Real>::update_magnetic() {
  if (!local_steps_) return executor_->update(HalfStep::magnetic, electric_, magnetic_, d_->batches);
  if (!started_) start_local_steps();
  Field<Real>& unfiltered = local_steps_->unfiltered();
  executor_->update_unfiltered(electric_, unfiltered, magnetic_,
                               [&] { local_steps_->filter(1, magnetic_, unfiltered); });
}

template <class Real>
void DgSolver<Real>::start_local_steps() {
  local_steps_->start_from(magnetic_, comm_);
  started_ = true;
}

template <class Real>
void DgSolver<Real>::randomise_fields() {
  fill_random(*d_, *executor_, electric_, magnetic_);
  voltages_are_known_ = false;
  if (!local_steps_) return;
  Field<Real>& unfiltered = local_steps_->unfiltered();
  executor_->for_each(static_cast<std::int64_t>(unfiltered.size()),
                      parallel::CopyReals<Real>{magnetic_.read(), unfiltered.write()});
  local_steps_->filter(1, magnetic_, unfiltered);
  started_ = true;
}

template <class Real>
void DgSolver<Real>::advance(std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) runge_kutta_ ? runge_kutta_step() : step();
}

// H^{n+1/2} is computed as in the step, element by element, and not kept; of the fields only ghosts are written. Of the
// Runge-Kutta scheme: 1/2 (E^n M_eps E^n + H^n M_mu H^n), which it does not conserve exactly.
template <class Real>
double DgSolver<Real>::energy() {
  if (runge_kutta_) {
    parallel::ReproducibleSum products;
    executor_->add_product(HalfStep::electric, electric_, electric_, d_->owned_blocks, products);
    executor_->add_product(HalfStep::magnetic, magnetic_, magnetic_, d_->owned_blocks, products);
    return 0.5 * vacuum_permittivity * products.value();
  }
  write_incident_electric(clock().electric_time());
  write_incident_magnetic(clock().magnetic_time());
  if (!local_steps_) return executor_->energy(electric_, nullptr, magnetic_, d_->batches);
  if (!started_) start_local_steps();
  return executor_->energy(electric_, &local_steps_->unfiltered(), magnetic_, d_->batches);
}

// Amplitudes of several waves add: (sum a_i)^2 <= count sum a_i^2.
template <class Real>
solver::SourceWork DgSolver<Real>::work() const {
  solver::SourceWork work;
  for (const auto& dipole : dipoles_) {
    const double measured = dipole.current.measured();
    work.done += measured;
    work.gross += std::abs(measured);
  }
  double power = 0;
  for (const auto& wave : incident_) power += wave.power_bound * double(incident_.size());
  work.incident_bound = power * dt_ * double(step_);
  return work;
}

template <class Real>
void DgSolver<Real>::write_incident_electric(double time) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_electric(*executor_, electric_, time, i == 0);
}

template <class Real>
void DgSolver<Real>::write_incident_magnetic(double time) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_magnetic(*executor_, magnetic_, time, i == 0);
}

template <class Real>
solver::Costs DgSolver<Real>::costs() const {
  const double s = sizeof(Real), n = tetrahedron_nodes(d_->order), f = triangle_nodes(d_->order),
               elements = double(d_->mesh.global_elements), updates = d_->time_levels.updates;
  return {6 * static_cast<std::int64_t>(tetrahedron_nodes(d_->order)) * d_->mesh.global_elements, updates,
          (18.0 * n * s + 2 * (13 * s + 20)) * elements * updates,
          (36 * n * n + 66 * n + 48 * f * n + 120 * f + 12 * n) * elements * updates};
}

template <class Real>
solver::Instability DgSolver<Real>::find_instability(double& severity) const {
  const std::size_t reals = std::size_t{3} * tetrahedron_nodes(d_->order);
  const Real* const electric = electric_.host();
  const Real* const magnetic = magnetic_.host();
  severity = -1;
  std::int64_t worst = 0;
  for (std::size_t slot = 0; slot < d_->element_of_slot.size(); ++slot) {
    if (d_->element_of_slot[slot] < 0) continue;
    const std::size_t at = d_->layout.first(static_cast<std::uint32_t>(slot)), stride = d_->layout.stride();
    double sum = 0;
    for (std::size_t i = 0; i < reals; ++i) {
      const double e = electric[at + i * stride], h = magnetic[at + i * stride];
      sum += e * e + h * h;
    }
    if (!std::isfinite(sum)) sum = std::numeric_limits<double>::max();
    if (sum > severity) {
      severity = sum;
      worst = d_->element_of_slot[slot];
    }
  }
  if (severity < 0) return {};
  return {d_->mesh.element_id[worst], ElementGeometry(d_->mesh, worst).centre(),
          material_names_[d_->mesh.element_group[worst]]};
}

template <class Real>
void DgSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  const std::size_t reals = d_->owned_reals();
  auto& memory = executor_->memory();
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back({omega, Field<Real>(reals, memory), Field<Real>(reals, memory), Field<Real>(reals, memory),
                        Field<Real>(reals, memory)});
}

// F += w f(t) exp(i omega t), so that f = Re F exp(-i omega t) with w = 2 / T over whole periods.
template <class Real>
void DgSolver<Real>::accumulate_dft(double weight) {
  for (auto& phasor : phasors_) {
    const auto add = [&](const Field<Real>& field, double t, Field<Real>& real, Field<Real>& imag) {
      const auto c = static_cast<Real>(weight * std::cos(phasor.angular_frequency * t));
      const auto s = static_cast<Real>(weight * std::sin(phasor.angular_frequency * t));
      executor_->for_each(static_cast<std::int64_t>(real.size()),
                          parallel::AddPhasor<Real>{field.read(), c, s, real.write(), imag.write()});
    };
    add(electric_, clock().electric_time(), phasor.electric_real, phasor.electric_imag);
    add(magnetic_, clock().magnetic_time(), phasor.magnetic_real, phasor.magnetic_imag);
  }
}

template <class Real>
double DgSolver<Real>::halo_wait_seconds() const {
  return executor_->halo_wait_seconds() - wait_before_;
}

template <class Real>
double DgSolver<Real>::memory_bytes() const {
  double reals = double(electric_.size()) + double(magnetic_.size());
  const double of_levels = local_steps_ ? local_steps_->memory_bytes() : 0;
  const double of_stages = runge_kutta_ ? runge_kutta_->memory_bytes() : 0;
  for (const auto& p : phasors_) reals += 4.0 * double(p.electric_real.size());
  return reals * sizeof(Real) + of_levels + of_stages + d_->memory_bytes() + executor_->memory_bytes();
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
