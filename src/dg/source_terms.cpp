#include "dgtd/dg/source_terms.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>

namespace dgtd::dg {

template <class Real>
SourceTerms<Real>::SourceTerms(const Discretisation<Real>& d, Executor<Real>& executor,
                               const std::vector<physics::Source>& sources, const CurrentResponse& response, double dt,
                               const parallel::Communicator& comm)
    : executor_(executor), dt_(dt) {
  for (const auto& source : sources) {
    if (source.type == physics::Source::Type::dipole) {
      dipoles_.push_back({physics::shape_of(source.waveform), source.moment,
                          Current<Real>(dipole_coefficients(d, source, response, comm), executor.memory())});
    } else if (launches_inside(source)) {
      const Launch launch = make_launch(d, source, comm);
      for (const LaunchedTerm& term : launch.terms) surface_waves_.emplace_back(d, executor, launch, term, dt);
    } else {
      const IncidentWave wave = make_incident_wave(d, source);
      incident_.push_back({wave.power_bound, IncidentWriter<Real>(d, wave, executor.memory())});
    }
  }
  if (!is_empty()) numbers_ = parallel::Array<double>(most_instants * numbers_per_instant(), executor.memory());
}

template <class Real>
void SourceTerms<Real>::set_instants(const std::vector<double>& times) {
  assert(times.size() <= most_instants);
  if (is_empty()) return;
  std::vector<double> values;
  for (const double time : times) {
    values.push_back(time);
    for (const Dipole& dipole : dipoles_) values.push_back(physics::value(dipole.shape, time));
    for (const Dipole& dipole : dipoles_)
      values.push_back(-0.5 * dt_ * dipole.moment * physics::value(dipole.shape, time));
  }
  for (std::size_t first = 0; first < values.size(); first += WriteNumbers::most) {
    WriteNumbers part{numbers_.write() + first, {}};
    const std::size_t count = std::min<std::size_t>(values.size() - first, WriteNumbers::most);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, part.values);
    executor_.for_each(static_cast<std::int64_t>(count), part);
  }
}

template <class Real>
void SourceTerms<Real>::write_incident_electric(Field<Real>& electric, int instant) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_electric(executor_, electric, numbers(instant), i == 0);
}

template <class Real>
void SourceTerms<Real>::write_incident_magnetic(Field<Real>& magnetic, int instant) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_magnetic(executor_, magnetic, numbers(instant), i == 0);
}

template <class Real>
void SourceTerms<Real>::begin_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered, int instant) {
  for (auto& wave : surface_waves_) wave.begin_magnetic(magnetic, numbers(instant));
  for (auto& wave : surface_waves_) wave.add_to_magnetic(magnetic, unfiltered);
}

template <class Real>
void SourceTerms<Real>::end_magnetic(const Field<Real>& magnetic) {
  for (auto& wave : surface_waves_) wave.end_magnetic(magnetic);
}

template <class Real>
void SourceTerms<Real>::begin_electric(const Field<Real>& electric, int instant) {
  for (auto& wave : surface_waves_) wave.begin_electric(electric, numbers(instant));
}

template <class Real>
void SourceTerms<Real>::end_electric(Field<Real>& electric) {
  for (auto& wave : surface_waves_) wave.add_to_electric(electric);
  for (auto& wave : surface_waves_) wave.end_electric(electric);
}

template <class Real>
void SourceTerms<Real>::add_currents(Field<Real>& electric, int instant) {
  for (std::size_t i = 0; i < dipoles_.size(); ++i) dipoles_[i].current.add(executor_, electric, value_of(i, instant));
}

template <class Real>
void SourceTerms<Real>::begin_work(const Field<Real>& electric) {
  if (!begun_)
    for (auto& dipole : dipoles_) dipole.current.measure(executor_, electric, 0.0);
  begun_ = true;
}

template <class Real>
void SourceTerms<Real>::end_work(const Field<Real>& electric, int instant) {
  for (std::size_t i = 0; i < dipoles_.size(); ++i)
    dipoles_[i].current.measure(executor_, electric, work_factor_of(i, instant));
}

// The work of a step takes E's mean of both levels and J in their middle: as integrals of exp(i w t), E cos(w dt / 2)
// and the sum over the middles of the steps.
template <class Real>
double SourceTerms<Real>::current_work(const Field<Real>& electric_real, const Field<Real>& electric_imag,
                                       double angular_frequency, double dt, std::int64_t steps) const {
  double work = 0;
  for (const auto& dipole : dipoles_) {
    std::complex<double> current = 0;  // A m s
    for (std::int64_t n = 0; n < steps; ++n) {
      const double t = (double(n) + 0.5) * dt;
      current += dt * dipole.moment * physics::value(dipole.shape, t) * std::polar(1.0, angular_frequency * t);
    }
    const std::complex<double> voltage(dipole.current.voltage(executor_, electric_real),
                                       dipole.current.voltage(executor_, electric_imag));
    work -= 0.5 * (std::conj(current) * voltage).real() * std::cos(0.5 * angular_frequency * dt);
  }
  return work;
}

// Amplitudes of several waves add: (sum a_i)^2 <= count sum a_i^2.
template <class Real>
solver::SourceWork SourceTerms<Real>::work(double elapsed) const {
  solver::SourceWork work;
  for (const auto& dipole : dipoles_) {
    const double of_dipole = dipole.current.measured();
    work.done += of_dipole;
    work.gross += std::abs(of_dipole);
  }
  // What a wave brings into its total field it takes out again.
  for (const auto& wave : surface_waves_) {
    work.done += wave.work();
    work.gross += wave.power_bound() * elapsed;
  }
  double power = 0;
  for (const auto& wave : incident_) power += wave.power_bound * double(incident_.size());
  work.incident_bound = power * elapsed;
  return work;
}

template <class Real>
std::vector<double> SourceTerms<Real>::measured_work() const {
  std::vector<double> work;
  for (const auto& dipole : dipoles_) work.push_back(dipole.current.measured());
  for (const auto& wave : surface_waves_) work.push_back(wave.work());
  return work;
}

template <class Real>
void SourceTerms<Real>::set_measured_work(const std::vector<double>& work) {
  std::size_t i = 0;
  for (auto& dipole : dipoles_) dipole.current.set_measured(work.at(i++));
  for (auto& wave : surface_waves_) wave.set_work(work.at(i++));
}

template <class Real>
double SourceTerms<Real>::memory_bytes() const {
  double bytes = numbers_.bytes();
  for (const auto& wave : surface_waves_) bytes += wave.memory_bytes();
  return bytes;
}

template class SourceTerms<float>;
template class SourceTerms<double>;

}  // namespace dgtd::dg
