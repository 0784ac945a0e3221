#include "dgtd/fdtd/fdtd_solver.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::fdtd {

namespace {
constexpr double samples_a_period = 8;  // of a flux monitor's highest frequency
}

template <class Real>
FdtdSolver<Real>::FdtdSolver(const Setup& setup, std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Engine<Real>> engine,
                             const std::vector<config::Source>& sources, const std::vector<config::Flux>& fluxes, const parallel::Communicator& comm)
    : d_(std::move(d)), engine_(std::move(engine)), comm_(comm) {
  shown_ = d_->block;
  for (int a = 0; a < 3; ++a) shown_.cells[a] = static_cast<int>(std::min<std::int64_t>(shown_.cells[a], d_->grid.cells(a) - shown_.first[a]));
  const Material& background = setup.materials.front();
  for (const auto& source : sources) {
    const SourceLists lists = source.type == config::Source::Type::dipole
                                  ? dipole_lists(*d_, source)
                                  : plane_wave_lists(setup, *d_, source, background.permittivity, background.permeability);
    Source& made = sources_.emplace_back();
    made.shape = lists.shape;
    power_bound_ += lists.power_bound;
    for (const auto& list : lists.electric) made.electric.push_back(engine_->make_drive(HalfStep::electric, list, lists.shape));
    for (const auto& list : lists.magnetic) made.magnetic.push_back(engine_->make_drive(HalfStep::magnetic, list, lists.shape));
  }
  for (const auto& flux : fluxes) {
    std::vector<double> angular;
    for (const double f : flux.frequencies) angular.push_back(2 * pi * f);
    const double highest = *std::max_element(flux.frequencies.begin(), flux.frequencies.end());
    Flux& made = fluxes_.emplace_back();
    made.surface = flux_surface(*d_, flux);
    made.frequencies = angular.size();
    made.every = std::max<std::int64_t>(1, static_cast<std::int64_t>(1 / (samples_a_period * highest * d_->time_step)));
    made.spectrum = engine_->make_spectrum(made.surface.samples, angular);
  }
}

// Yee 1966 with H first, so that E and H end at n + 1 and n + 1/2:
//   mu  (H^{n+1/2} - H^{n-1/2}) / dt = -curl E^n
//   eps (E^{n+1}   - E^n)       / dt =  curl H^{n+1/2} - sigma (E^n + E^{n+1}) / 2 - sum_p J_p^{n+1/2} - J^{n+1/2}
template <class Real>
void FdtdSolver<Real>::advance(bool measure_energy) {
  const double time = static_cast<double>(step_) * d_->time_step;
  if (measure_energy || !engine_->has_one_pass()) {
    if (measure_energy) engine_->keep_magnetic();
    update(HalfStep::magnetic);
    for (const Drive* drive : drives(HalfStep::magnetic)) engine_->drive(*drive, time);
    if (measure_energy) energy_ = engine_->energy();
    update(HalfStep::electric);
  } else {
    update_once(time);
  }
  for (const Drive* drive : drives(HalfStep::electric)) engine_->drive(*drive, time + 0.5 * d_->time_step);
  engine_->update_series();

  ++step_;
  if (has_probes_) engine_->refresh_ghosts(HalfStep::magnetic);
  for (auto& flux : fluxes_)
    if (step_ % flux.every == 0) engine_->accumulate(*flux.spectrum, time + d_->time_step, double(flux.every) * d_->time_step);
}

// The edge of the block travels while the tiles inside are updated; those next to another rank follow.
template <class Real>
void FdtdSolver<Real>::update(HalfStep half) {
  engine_->start_exchange(half);
  engine_->update_interior(half);
  engine_->finish_exchange(half);
  engine_->update_next_to_halo(half);
}

// Both half steps in one pass over memory. The ranks above wait for H next to them, so that comes first.
template <class Real>
void FdtdSolver<Real>::update_once(double time) {
  engine_->start_exchange(HalfStep::magnetic);
  engine_->finish_exchange(HalfStep::magnetic);
  engine_->update_next_to_halo(HalfStep::magnetic);
  for (const Drive* drive : drives(HalfStep::magnetic)) engine_->drive_next_to_halo(*drive, time);
  engine_->start_exchange(HalfStep::electric);
  engine_->update_interior_once(drives(HalfStep::magnetic), time);
  engine_->finish_exchange(HalfStep::electric);
  engine_->update_next_to_halo(HalfStep::electric);
}

template <class Real>
std::vector<const Drive*> FdtdSolver<Real>::drives(HalfStep half) const {
  std::vector<const Drive*> all;
  for (const auto& source : sources_)
    for (const auto& list : half == HalfStep::electric ? source.electric : source.magnetic) all.push_back(list.get());
  return all;
}

template <class Real>
std::vector<double> FdtdSolver<Real>::flux(std::size_t monitor) const {
  const Flux& f = fluxes_[monitor];
  return comm_.sum(flux_spectrum(f.surface, f.spectrum->sums(), f.frequencies));
}

template <class Real>
std::int64_t FdtdSolver<Real>::unknowns() const { return 6 * d_->global_cells[0] * d_->global_cells[1] * d_->global_cells[2]; }

// DESIGN, "Performance figures": 48 bytes a cell in single precision, E and H read and written once.
template <class Real>
double FdtdSolver<Real>::compulsory_bytes_per_step() const { return 2.0 * sizeof(Real) * double(unknowns()); }

// Two differences, three sums and an update a component, without layers and poles.
template <class Real>
double FdtdSolver<Real>::operations_per_step() const { return 8.0 * double(unknowns()); }

template <class Real>
void FdtdSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  const std::size_t reals = engine_->electric().size();
  auto& memory = engine_->memory();
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back({omega, parallel::Field<Real>(reals, memory), parallel::Field<Real>(reals, memory), parallel::Field<Real>(reals, memory),
                        parallel::Field<Real>(reals, memory)});
}

// F += w f(t) exp(i omega t), so that f = Re F exp(-i omega t) with w = 2 / T over whole periods.
template <class Real>
void FdtdSolver<Real>::accumulate_dft(double weight) {
  const double time = double(step_) * d_->time_step;
  for (auto& p : phasors_) {
    const double w = p.angular_frequency, late = time - 0.5 * d_->time_step;
    engine_->accumulate_phasor(engine_->electric(), weight * std::cos(w * time), weight * std::sin(w * time), p.electric_real, p.electric_imag);
    engine_->accumulate_phasor(engine_->magnetic(), weight * std::cos(w * late), weight * std::sin(w * late), p.magnetic_real, p.magnetic_imag);
  }
}

template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
