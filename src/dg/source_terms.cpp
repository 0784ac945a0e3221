#include "dgtd/dg/source_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <set>

#include "dgtd/base/error.hpp"
#include "bloch_wave.hpp"

namespace dgtd::dg {

template <class Real>
SourceTerms<Real>::SourceTerms(const Discretisation<Real>& d, Executor<Real>& executor,
                               const std::vector<physics::Source>& sources,
                               const std::vector<physics::Port>& ports, const CurrentResponse& response, double dt,
                               const parallel::Communicator& comm)
    : executor_(executor), dt_(dt) {
  for (const auto& source : sources) {
    if (source.type == physics::Source::Type::dipole) {
      dipoles_.push_back({physics::shape_of(source.waveform), source.moment,
                          Current<Real>(dipole_coefficients(d, source, response, comm), executor.memory())});
    } else if (source.type == physics::Source::Type::plane_wave && source.phase) {
      for (const Launch& launch : launch_bloch_wave(d, source, dt, comm)) add_launch(d, launch);
    } else if (launches_inside(source)) {
      add_launch(d, make_launch(d, source, comm));
    } else {
      const IncidentWave wave = make_incident_wave(d, source);
      incident_.push_back({wave.power_bound, IncidentWriter<Real>(d, wave, executor.memory())});
    }
  }
  std::vector<physics::Port> lumped;
  for (const physics::Port& port : ports) {
    if (port.is_lumped()) {
      lumped.push_back(port);
      continue;
    }
    guide_ports_.push_back(make_guide_port(d, port, dt, comm));
    for (const Launch& launch : guide_ports_.back().launches) add_launch(d, launch);
    guide_ports_.back().launches.clear();
  }
  const std::vector<PortSheet> sheets = port_sheets(d, lumped, response, dt, comm);
  std::set<std::int64_t> sheet_faces;  // PortSheet::number
  for (std::size_t p = 0; p < lumped.size(); ++p) {
    port_sources_.push_back({physics::shape_of(lumped[p].waveform), lumped[p].excite});
    for (const std::int64_t number : sheets[p].number) sheet_faces.insert(number);
  }
  ports_ = std::make_unique<PortsOn<Real>>(d, executor, sheets, dt);
  for (std::size_t e = 0; !sheet_faces.empty() && e < d.mesh.elements(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f)
      if (sheet_faces.count(4 * d.mesh.element_id[e] + f) > 0)
        source_faces_.push_back({static_cast<std::uint32_t>(e), f, true});
  if (!is_empty()) numbers_ = parallel::Array<double>(most_instants * numbers_per_instant(), executor.memory());
}

template <class Real>
void SourceTerms<Real>::add_launch(const Discretisation<Real>& d, const Launch& launch) {
  if (launch.terms.empty()) return;
  const auto add_wave = [&](const std::vector<LaunchedTerm>& terms) -> Launched& {
    return surface_waves_.emplace_back(Launched{SurfaceWave<Real>(d, executor_, launch, terms, dt_), {}});
  };
  if (launch.parts_in_time.empty()) {
    for (const LaunchedTerm& term : launch.terms) add_wave({term});
  } else {
    add_wave(launch.terms).mode = modes_.size();
    modes_.insert(modes_.end(), launch.parts_in_time.begin(), launch.parts_in_time.end());
  }
  for (const SourceSurface::Side& side : launch.surface.sides) source_faces_.push_back({side.element, side.face, false});
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
      values.push_back(work_factor(dipole, time));
    for (const PortSource& port : port_sources_)
      values.push_back(port.peak == 0 ? 0 : port.peak * physics::value(port.shape, time));
    for (const ModeInTime& mode : modes_) {
      values.push_back(mode.electric_at(time));
      values.push_back(mode.magnetic_at(time));
    }
  }
  for (std::size_t first = 0; first < values.size(); first += WriteNumbers::most) {
    WriteNumbers part{numbers_.write() + first, {}};
    const std::size_t count = std::min<std::size_t>(values.size() - first, WriteNumbers::most);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, part.values);
    executor_.for_each(static_cast<std::int64_t>(count), part);
  }
}

template <class Real>
bool SourceTerms<Real>::have_messages() const {
  return ports_->has_messages();
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
  for (auto& w : surface_waves_) w.wave.begin_magnetic(magnetic, number_of_wave(w, instant, false));
  for (auto& w : surface_waves_) w.wave.add_to_magnetic(magnetic, unfiltered);
}

template <class Real>
void SourceTerms<Real>::end_magnetic(const Field<Real>& magnetic) {
  for (auto& w : surface_waves_) w.wave.end_magnetic(magnetic);
}

template <class Real>
void SourceTerms<Real>::begin_electric(const Field<Real>& electric, int instant) {
  for (auto& w : surface_waves_) w.wave.begin_electric(electric, number_of_wave(w, instant, true));
}

template <class Real>
void SourceTerms<Real>::add_to_electric(Field<Real>& electric, int instant) {
  for (auto& w : surface_waves_) w.wave.add_to_electric(electric);
  for (std::size_t i = 0; i < dipoles_.size(); ++i) dipoles_[i].current.add(executor_, electric, value_of(i, instant));
  ports_->apply(electric, voltage_of(0, instant), instant / instants_per_step);
}

template <class Real>
void SourceTerms<Real>::end_electric(const Field<Real>& electric, int instant) {
  for (auto& w : surface_waves_) w.wave.end_electric(electric);
  for (std::size_t i = 0; i < dipoles_.size(); ++i)
    dipoles_[i].current.measure(executor_, electric, work_factor_of(i, instant));
}

template <class Real>
void SourceTerms<Real>::begin_work(const Field<Real>& electric) {
  if (!begun_) {
    for (auto& dipole : dipoles_) dipole.current.measure(executor_, electric, 0.0);
    ports_->take_fields(electric);
  }
  begun_ = true;
}

template <class Real>
std::optional<std::vector<StepCurrent>> SourceTerms<Real>::step_currents() {
  if (!incident_.empty() || !surface_waves_.empty() || !port_sources_.empty()) return std::nullopt;
  std::vector<StepCurrent> currents;
  for (Dipole& dipole : dipoles_) currents.push_back(dipole.current.for_steps());
  return currents;
}

template <class Real>
std::vector<double> SourceTerms<Real>::step_numbers(const std::vector<double>& times) const {
  std::vector<double> numbers;
  for (const double time : times) {
    for (const Dipole& dipole : dipoles_) numbers.push_back(physics::value(dipole.shape, time));
    for (const Dipole& dipole : dipoles_) numbers.push_back(work_factor(dipole, time));
  }
  return numbers;
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
  // Energy that a wave brings into its total field leaves with it again.
  for (const auto& w : surface_waves_) {
    work.done += w.wave.work();
    work.gross += w.wave.power_bound() * elapsed;
  }
  for (const double of_port : ports_->work()) {
    work.done += of_port;
    work.gross += std::abs(of_port);
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
  for (const auto& w : surface_waves_) work.push_back(w.wave.work());
  return work;
}

template <class Real>
void SourceTerms<Real>::set_measured_work(const std::vector<double>& work) {
  std::size_t i = 0;
  for (auto& dipole : dipoles_) dipole.current.set_measured(work.at(i++));
  for (auto& w : surface_waves_) w.wave.set_work(work.at(i++));
  if (i != work.size())
    throw Error(fmt::format("checkpoint: it has the work of {} sources, this program that of {}; start the run anew",
                            work.size(), i));
}

template <class Real>
double SourceTerms<Real>::memory_bytes() const {
  double bytes = numbers_.bytes() + ports_->memory_bytes();
  for (const auto& w : surface_waves_) bytes += w.wave.memory_bytes();
  return bytes;
}

template class SourceTerms<float>;
template class SourceTerms<double>;

}  // namespace dgtd::dg
