#include "dgtd/dg/dg_solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/leap_frog.hpp"

namespace dgtd::dg {

template <class Real>
DgSolver<Real>::DgSolver(std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Executor<Real>> executor, double dt,
                         const std::vector<physics::Source>& sources, const std::vector<std::string>& material_names,
                         const parallel::Communicator& comm, MakeIntegrator<Real> make_integrator,
                         const std::vector<physics::Port>& ports)
    : d_(std::move(d)),
      executor_(std::move(executor)),
      comm_(comm),
      material_names_(material_names),
      dt_(dt),
      wait_before_(executor_->halo_wait_seconds()),
      electric_(d_->field_reals(), executor_->memory()),
      magnetic_(d_->field_reals(), executor_->memory()),
      integrator_((make_integrator ? make_integrator : leap_frog<Real>(dt))(
          Dynamics<Real>{*d_, *executor_, electric_, magnetic_, comm_})),
      sources_(*d_, *executor_, sources, ports, integrator_->current_response(), dt_, comm),
      mass_(d_->order) {
  place_ports(ports);
  (void)integrator_->steps_at_once(sources_, most_resident_steps);  // what a device needs for them belongs to the set-up
}

template <class Real>
void DgSolver<Real>::advance(std::int64_t steps) {
  for (std::int64_t left = steps; left > 0;) {
    const std::int64_t count = integrator_->steps_at_once(sources_, left);
    std::vector<double> times;  // s, of E before each step
    for (std::int64_t i = 0; i < count; ++i, ++step_) times.push_back(clock().electric_time());
    integrator_->advance(sources_, times);
    take_port_records(static_cast<int>(count));
    left -= count;
  }
}

template <class Real>
void DgSolver<Real>::advance_together(const std::vector<DgSolver*>& parts, std::int64_t steps,
                                      const BetweenParts& between) {
  const auto scheme = [](DgSolver& part) -> LeapFrog<Real>& {
    return dynamic_cast<LeapFrog<Real>&>(*part.integrator_);
  };
  for (std::int64_t left = steps; left > 0;) {
    const auto count =
        static_cast<int>(std::bit_floor(std::uint64_t(std::min<std::int64_t>(left, most_steps_at_once))));
    for (DgSolver* const part : parts) {
      std::vector<double> times;  // s, of E before each step
      for (int i = 0; i < count; ++i, ++part->step_) times.push_back(part->clock().electric_time());
      scheme(*part).begin(part->sources_, times);
    }
    const auto step = [&](int i) {
      for (const HalfStep half : {HalfStep::magnetic, HalfStep::electric}) {
        between.exchange(half);
        for (DgSolver* const part : parts) scheme(*part).start_half_step(half, part->sources_, i);
        if (half == HalfStep::magnetic) between.filter();
        for (DgSolver* const part : parts) scheme(*part).end_half_step(half, part->sources_, i);
      }
    };
    between.repeat_steps(count, step);
    left -= count;
  }
}

template <class Real>
void DgSolver<Real>::randomise_fields() {
  fill_random(*d_, *executor_, electric_, magnetic_);
  sources_.forget_fields();
  integrator_->take_random_fields();
}

template <class Real>
double DgSolver<Real>::energy() {
  return integrator_->energy(sources_, clock().electric_time());
}

template <class Real>
solver::SourceWork DgSolver<Real>::work() const {
  return sources_.work(clock().electric_time());
}

solver::Costs costs_of_elements(int order, std::size_t real_bytes, std::int64_t count, double updates) {
  const double s = double(real_bytes), n = tetrahedron_nodes(order), f = triangle_nodes(order),
               elements = double(count);
  return {6 * static_cast<std::int64_t>(tetrahedron_nodes(order)) * count, updates,
          (18.0 * n * s + 2 * (13 * s + 20)) * elements * updates,
          (36 * n * n + 66 * n + 48 * f * n + 120 * f + 12 * n) * elements * updates};
}

template <class Real>
solver::Costs DgSolver<Real>::costs() const {
  return costs_of_elements(d_->order, sizeof(Real), d_->mesh.global_elements,
                           d_->time_levels.updates * integrator_->stages());
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
  return {d_->mesh.element_id[worst] % (d_->mesh.global_elements / d_->mesh.copies), ElementGeometry(d_->mesh, worst).centre(),
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
std::size_t DgSolver<Real>::add_sums(std::span<const std::uint32_t> elements, const std::vector<double>& frequencies) {
  local_sums_.emplace_back(*d_, *executor_, elements, frequencies);
  return local_sums_.size() - 1;
}

template <class Real>
double DgSolver<Real>::halo_wait_seconds() const {
  return executor_->halo_wait_seconds() - wait_before_;
}

template <class Real>
double DgSolver<Real>::memory_bytes() const {
  double reals = double(electric_.size()) + double(magnetic_.size());
  for (const auto& p : phasors_) reals += 4.0 * double(p.electric_real.size());
  double sums = 0;
  for (const auto& s : local_sums_) sums += s.memory_bytes();
  return reals * sizeof(Real) + sums + integrator_->memory_bytes() + sources_.memory_bytes() + d_->memory_bytes() +
         executor_->memory_bytes();
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
