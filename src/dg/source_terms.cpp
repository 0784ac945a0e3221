#include "dgtd/dg/source_terms.hpp"

#include <cmath>
#include <complex>

namespace dgtd::dg {

template <class Real>
SourceTerms<Real>::SourceTerms(const Discretisation<Real>& d, Executor<Real>& executor,
                               const std::vector<physics::Source>& sources, const CurrentResponse& response, double dt,
                               const parallel::Communicator& comm)
    : executor_(executor) {
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
}

template <class Real>
void SourceTerms<Real>::write_incident_electric(Field<Real>& electric, double time) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_electric(executor_, electric, time, i == 0);
}

template <class Real>
void SourceTerms<Real>::write_incident_magnetic(Field<Real>& magnetic, double time) {
  for (std::size_t i = 0; i < incident_.size(); ++i)
    incident_[i].writer.write_magnetic(executor_, magnetic, time, i == 0);
}

template <class Real>
void SourceTerms<Real>::begin_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered, double time) {
  for (auto& wave : surface_waves_) wave.begin_magnetic(magnetic, time);
  for (auto& wave : surface_waves_) wave.add_to_magnetic(magnetic, unfiltered);
}

template <class Real>
void SourceTerms<Real>::end_magnetic(const Field<Real>& magnetic) {
  for (auto& wave : surface_waves_) wave.end_magnetic(magnetic);
}

template <class Real>
void SourceTerms<Real>::begin_electric(const Field<Real>& electric, double time) {
  for (auto& wave : surface_waves_) wave.begin_electric(electric, time);
}

template <class Real>
void SourceTerms<Real>::end_electric(Field<Real>& electric) {
  for (auto& wave : surface_waves_) wave.add_to_electric(electric);
  for (auto& wave : surface_waves_) wave.end_electric(electric);
}

template <class Real>
void SourceTerms<Real>::add_currents(Field<Real>& electric, double time) {
  for (auto& dipole : dipoles_) dipole.current.add(executor_, electric, physics::value(dipole.shape, time));
}

template <class Real>
void SourceTerms<Real>::begin_work(const Field<Real>& electric) {
  if (!begun_)
    for (auto& dipole : dipoles_) dipole.current.measure(executor_, electric, 0);
  begun_ = true;
}

template <class Real>
void SourceTerms<Real>::end_work(const Field<Real>& electric, double time, double dt) {
  for (auto& dipole : dipoles_)
    dipole.current.measure(executor_, electric, -0.5 * dt * dipole.moment * physics::value(dipole.shape, time));
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
  double bytes = 0;
  for (const auto& wave : surface_waves_) bytes += wave.memory_bytes();
  return bytes;
}

template class SourceTerms<float>;
template class SourceTerms<double>;

}  // namespace dgtd::dg
