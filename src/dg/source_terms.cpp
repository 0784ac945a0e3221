#include "dgtd/dg/source_terms.hpp"

#include <cmath>

namespace dgtd::dg {

template <class Real>
SourceTerms<Real>::SourceTerms(const Discretisation<Real>& d, Executor<Real>& executor,
                               const std::vector<physics::Source>& sources, const CurrentResponse& response,
                               const parallel::Communicator& comm)
    : executor_(executor) {
  for (const auto& source : sources) {
    if (source.type == physics::Source::Type::dipole) {
      dipoles_.push_back({physics::shape_of(source.waveform), source.moment,
                          Current<Real>(dipole_coefficients(d, source, response, comm), executor.memory())});
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

// Amplitudes of several waves add: (sum a_i)^2 <= count sum a_i^2.
template <class Real>
solver::SourceWork SourceTerms<Real>::work(double elapsed) const {
  solver::SourceWork work;
  for (const double of_dipole : work_of_dipoles()) {
    work.done += of_dipole;
    work.gross += std::abs(of_dipole);
  }
  double power = 0;
  for (const auto& wave : incident_) power += wave.power_bound * double(incident_.size());
  work.incident_bound = power * elapsed;
  return work;
}

template <class Real>
std::vector<double> SourceTerms<Real>::work_of_dipoles() const {
  std::vector<double> work;
  for (const auto& dipole : dipoles_) work.push_back(dipole.current.measured());
  return work;
}

template <class Real>
void SourceTerms<Real>::set_work_of_dipoles(const std::vector<double>& work) {
  for (std::size_t i = 0; i < dipoles_.size(); ++i) dipoles_[i].current.set_measured(work.at(i));
}

template class SourceTerms<float>;
template class SourceTerms<double>;

}  // namespace dgtd::dg
