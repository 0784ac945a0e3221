#include "dgtd/fdtd/fdtd_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "bloch.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {

template <class Real>
FdtdSolver<Real>::FdtdSolver(const grid::Setup& setup, std::unique_ptr<Discretisation<Real>> d,
                             std::unique_ptr<Engine<Real>> engine, const std::vector<physics::Source>& sources,
                             const std::vector<physics::Flux>& fluxes, const parallel::Communicator& comm,
                             std::unique_ptr<Engine<Real>> imaginary)
    : d_(std::move(d)),
      engine_(std::move(engine)),
      components_(setup.components),
      bloch_phase_(setup.bloch_phase),
      comm_(comm) {
  shown_ = d_->block;
  for (int a = 0; a < 3; ++a)
    shown_.cells[a] = static_cast<int>(std::min<std::int64_t>(shown_.cells[a], d_->grid.cells(a) - shown_.first[a]));
  materials_ = setup.materials;
  assert(setup.has_bloch_phase() == (imaginary != nullptr));
  if (imaginary) start_imaginary(setup, std::move(imaginary));
  for (const bool hard : {false, true})  // hard sources last
    for (const auto& source : sources)
      if ((source.type == physics::Source::Type::hard) == hard) add_source(setup, source);
  if (std::count(setup.sides.begin(), setup.sides.end(), grid::BoundaryKind::mur) > 0) {
    const auto lists = mur_lists(setup, *d_);
    for_parts([&](auto& part, auto&, auto& walls) {
      for (std::size_t i = 0; i < lists.size(); ++i) walls[i] = part.make_wall(lists[i]);
    });
  }
  for (const auto& flux : fluxes) {
    FluxSurface surface = flux_surface(*d_, flux);
    auto spectrum = running_spectrum(surface.samples, flux.frequencies);
    fluxes_.push_back({std::move(surface), std::move(spectrum)});
  }
}

template <class Real>
void FdtdSolver<Real>::add_source(const grid::Setup& setup, const physics::Source& source) {
  if (imaginary_ && source.type == physics::Source::Type::plane_wave)
    throw Error(fmt::format("{}: source.{}: a plane wave does not fit sides of type bloch; a sheet takes their phase",
                            source.origin, source.name));
  const SourceLists lists = source_lists(setup, *d_, source);
  power_bound_ += lists.power_bound;
  if (setup.axes < 3) {
    PlaneSource& made = plane_sources_.emplace_back(PlaneSource{lists.shape, {lists.electric, lists.magnetic}});
    made.lists[0].insert(made.lists[0].end(), lists.hard.begin(), lists.hard.end());
  }
  const bool turned = imaginary_ && source.type == physics::Source::Type::sheet;
  const auto add = [&](Engine<Real>& engine, std::vector<Source>& to, bool imaginary) {
    Source& made = to.emplace_back();
    made.shape = lists.shape;
    for (const auto& list : lists.electric)
      made.electric.push_back(engine.make_drive(
          HalfStep::electric, turned ? bloch_part(setup, *d_, list, true, imaginary) : list, lists.shape));
    for (const auto& list : lists.magnetic)
      made.magnetic.push_back(engine.make_drive(
          HalfStep::magnetic, turned ? bloch_part(setup, *d_, list, false, imaginary) : list, lists.shape));
    for (DriveList list : lists.hard) {  // a real field
      if (imaginary) list.weight.assign(list.weight.size(), 0);
      made.hard.push_back(engine.make_drive(HalfStep::electric, list, lists.shape));
    }
  };
  add(*engine_, sources_, false);
  if (turned || (imaginary_ && source.type == physics::Source::Type::hard))
    add(*imaginary_->engine, imaginary_->sources, true);
}

template <class Real>
RunningSpectrum<Real> FdtdSolver<Real>::running_spectrum(const SpectrumSamples& samples,
                                                         const std::vector<double>& frequencies) {
  return {samples, frequencies, d_->time_step, *engine_, imaginary_ ? imaginary_->engine.get() : nullptr};
}

// Yee 1966 with H first, so that E and H end at n + 1 and n + 1/2:
//   mu  (H^{n+1/2} - H^{n-1/2}) / dt = -curl E^n
//   eps (E^{n+1}   - E^n)       / dt =  curl H^{n+1/2} - sigma (E^n + E^{n+1}) / 2 - sum_p J_p^{n+1/2} - J^{n+1/2}
template <class Real>
void FdtdSolver<Real>::step() {
  const double time = static_cast<double>(step_) * d_->time_step;
  for_parts([](auto& part, auto&, auto& walls) {
    for (auto& wall : walls)
      if (wall) part.keep_wall(*wall);
  });
  if (imaginary_ || plane_update_ || !engine_->has_one_pass()) {
    update(HalfStep::magnetic);
    for_parts([&](auto& part, auto& sources, auto&) {
      for (const Drive* drive : drives(sources, HalfStep::magnetic)) part.drive(*drive, time);
    });
    update(HalfStep::electric);
  } else {
    update_once(time);
  }
  for_parts([&](auto& part, auto& sources, auto& walls) {
    for (const Drive* drive : drives(sources, HalfStep::electric)) part.drive(*drive, time + 0.5 * d_->time_step);
    part.update_series();
    for (const auto& wall : walls)
      if (wall) part.update_wall(*wall);
    for (const auto& source : sources)
      for (const auto& list : source.hard) part.drive(*list, time + 0.5 * d_->time_step);
  });
  for (const auto& source : sources_)
    for (const auto& list : source.electric) engine_->add_work(*list, time + 0.5 * d_->time_step);
  ++step_;
  if (has_probes_) refresh_ghosts(HalfStep::magnetic);
  sample_spectra();
}

template <class Real>
void FdtdSolver<Real>::sample_spectra() {
  for (auto& flux : fluxes_) flux.spectrum.add(step_);
  for (auto& monitor : monitors_) monitor.spectrum.add(step_);
}

template <class Real>
bool FdtdSolver<Real>::start_plane_passes(const grid::Setup& setup, PlaneFields fields) {
  const auto hinders = [](const TileBatch& b) { return b.dispersive || b.next_to_halo; };
  for (const auto* half : {&d_->electric, &d_->magnetic})
    if (std::any_of(half->batches.begin(), half->batches.end(), hinders)) return false;
  for (int side = 0; side < 2 * setup.axes; ++side)
    if (setup.sides[side] == grid::BoundaryKind::periodic || setup.sides[side] == grid::BoundaryKind::mur) return false;
  if (setup.axes == 3 || imaginary_ || !d_->series.index.empty()) return false;
  engine_->start_plane_passes(fields, plane_sources_);
  return passes_ = true;
}

template <class Real>
void FdtdSolver<Real>::advance(std::int64_t steps) {
  if (passes_) return advance_plane(steps);
  for (std::int64_t i = 0; i < steps; ++i) step();
}

// H^{n+1/2} is computed as in the step and taken back; only ghosts are written.
template <class Real>
double FdtdSolver<Real>::energy() {
  if (passes_) return engine_->plane_energy(step_);
  const double time = clock().electric_time();
  for_parts([](auto& part, auto&, auto&) { part.keep_magnetic(); });
  update(HalfStep::magnetic);
  double energy = 0;
  for_parts([&](auto& part, auto& sources, auto&) {
    for (const Drive* drive : drives(sources, HalfStep::magnetic)) part.drive(*drive, time);
    energy += part.energy();
    part.restore_magnetic();
  });
  return energy;
}

// As many steps a pass as fit, up to the next one after which a monitor looks.
template <class Real>
void FdtdSolver<Real>::advance_plane(std::int64_t steps) {
  for (const std::int64_t last = step_ + steps; step_ < last;) {
    std::int64_t unseen = last - step_;
    for (const auto& flux : fluxes_) unseen = std::min(unseen, flux.spectrum.steps_to_next(step_));
    for (const auto& monitor : monitors_) unseen = std::min(unseen, monitor.spectrum.steps_to_next(step_));
    const int of_pass = unseen >= most_steps_a_pass ? most_steps_a_pass : 1;
    engine_->plane_pass(step_, of_pass);
    step_ += of_pass;
    sample_spectra();
  }
}

// The edge of the block travels while the tiles inside are updated; those next to another rank follow.
template <class Real>
void FdtdSolver<Real>::update(HalfStep half) {
  if (plane_update_) return plane_update_->update(half);
  if (imaginary_) {
    refresh_ghosts(half);
    for_parts([&](auto& part, auto&, auto&) {
      part.update_interior(half);
      part.update_next_to_halo(half);
    });
    return;
  }
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
  const auto magnetic = drives(sources_, HalfStep::magnetic);
  for (const Drive* drive : magnetic) engine_->drive_next_to_halo(*drive, time);
  engine_->start_exchange(HalfStep::electric);
  engine_->update_interior_once(magnetic, time);
  engine_->finish_exchange(HalfStep::electric);
  engine_->update_next_to_halo(HalfStep::electric);
}

template <class Real>
std::vector<const Drive*> FdtdSolver<Real>::drives(const std::vector<Source>& sources, HalfStep half) {
  std::vector<const Drive*> all;
  for (const auto& source : sources)
    for (const auto& list : half == HalfStep::electric ? source.electric : source.magnetic) all.push_back(list.get());
  return all;
}

template <class Real>
double FdtdSolver<Real>::source_work() const {
  if (passes_) return engine_->plane_work();
  double work = 0;
  for (const auto& source : sources_)
    for (const auto& list : source.electric) work += engine_->work(*list);
  return work;
}

template <class Real>
std::vector<FarPattern> FdtdSolver<Real>::far_fields(std::size_t monitor, const std::vector<Direction>& directions,
                                                     double permittivity, double permeability) const {
  const Flux& f = fluxes_[monitor];
  const std::size_t n = 4 * f.surface.area.size();
  const auto sums = f.spectrum.sums();
  const auto& angular = f.spectrum.angular();
  std::vector<FarPattern> patterns;
  for (std::size_t k = 0; k < angular.size(); ++k)
    patterns.push_back(sum_over_ranks(
        far_field_of(f.surface, sums.data() + k * n, angular[k], directions, permittivity, permeability), comm_));
  return patterns;
}

template <class Real>
void FdtdSolver<Real>::start_imaginary(const grid::Setup& setup, std::unique_ptr<Engine<Real>> engine) {
  imaginary_ = std::make_unique<Imaginary>();
  imaginary_->engine = std::move(engine);
  for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
    imaginary_->turns[half == HalfStep::magnetic] = engine_->make_turns(bloch_turns(setup, *d_, half));
}

template <class Real>
void FdtdSolver<Real>::refresh_ghosts(HalfStep half) {
  engine_->refresh_ghosts(half);
  if (!imaginary_) return;
  imaginary_->engine->refresh_ghosts(half);
  engine_->turn_ghosts(half, *imaginary_->engine, *imaginary_->turns[half == HalfStep::magnetic]);
}

template <class Real>
std::vector<double> FdtdSolver<Real>::flux(std::size_t monitor) const {
  const Flux& f = fluxes_[monitor];
  return comm_.sum(flux_spectrum(f.surface, f.spectrum.sums(), f.spectrum.angular().size()));
}

template <class Real>
std::int64_t FdtdSolver<Real>::unknowns() const {
  return (imaginary_ ? 2 : 1) * components_ * d_->global_cells[0] * d_->global_cells[1] * d_->global_cells[2];
}

// docs/performance.md: 48 bytes per cell in single precision, 24 for the three components of a plane: each is read
// and written once.
template <class Real>
double FdtdSolver<Real>::compulsory_bytes_per_step() const {
  return 2.0 * sizeof(Real) * double(unknowns());
}

// Two differences, three sums and an update a component, without layers and poles.
template <class Real>
double FdtdSolver<Real>::operations_per_step() const {
  return 8.0 * double(unknowns());
}

template <class Real>
void FdtdSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  const std::size_t reals = engine_->electric().size();
  auto& memory = engine_->memory();
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back({omega, parallel::Field<Real>(reals, memory), parallel::Field<Real>(reals, memory),
                        parallel::Field<Real>(reals, memory), parallel::Field<Real>(reals, memory)});
}

// F += w f(t) exp(i omega t), so that f = Re F exp(-i omega t) with w = 2 / T over whole periods.
template <class Real>
void FdtdSolver<Real>::accumulate_dft(double weight) {
  const double time = double(step_) * d_->time_step;
  for (auto& p : phasors_) {
    const double w = p.angular_frequency, late = time - 0.5 * d_->time_step;
    engine_->accumulate_phasor(engine_->electric(), weight * std::cos(w * time), weight * std::sin(w * time),
                               p.electric_real, p.electric_imag);
    engine_->accumulate_phasor(engine_->magnetic(), weight * std::cos(w * late), weight * std::sin(w * late),
                               p.magnetic_real, p.magnetic_imag);
    if (!imaginary_) continue;
    // i u (c + i s) = -s u + i c u
    imaginary_->engine->wait();
    engine_->accumulate_phasor(imaginary_->engine->electric(), -weight * std::sin(w * time),
                               weight * std::cos(w * time), p.electric_real, p.electric_imag);
    engine_->accumulate_phasor(imaginary_->engine->magnetic(), -weight * std::sin(w * late),
                               weight * std::cos(w * late), p.magnetic_real, p.magnetic_imag);
    engine_->wait();
  }
}

template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
