#include "dgtd/fdtd/fdtd_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/sampling.hpp"
#include "fdtd/discretisation/bloch.hpp"
#include "fdtd/solver/powers.hpp"
#include "fdtd/sources/ports_apart.hpp"

namespace dgtd::fdtd {

template <class Stored>
FdtdSolver<Stored>::FdtdSolver(const grid::Setup& setup, std::unique_ptr<Discretisation<Real>> d,
                               std::unique_ptr<Engine<Stored>> engine, const std::vector<physics::Source>& sources,
                               const parallel::Communicator& comm, std::unique_ptr<Engine<Stored>> imaginary,
                               const std::vector<physics::Port>& ports)
    : d_(std::move(d)),
      components_(setup.components),
      bloch_phase_(setup.bloch_phase),
      comm_(comm),
      materials_(setup.materials) {
  shown_ = d_->block;
  for (int a = 0; a < 3; ++a)
    shown_.cells[a] = static_cast<int>(std::min<std::int64_t>(shown_.cells[a], d_->grid.cells(a) - shown_.first[a]));
  assert(setup.has_bloch_phase() == (imaginary != nullptr));
  fields_.real.engine = std::move(engine);
  if (imaginary) {
    fields_.imaginary = std::make_unique<FieldPart<Stored>>();
    fields_.imaginary->engine = std::move(imaginary);
  }
  for (const bool hard : {false, true})  // hard sources last
    for (const auto& source : sources)
      if ((source.type == physics::Source::Type::hard) == hard) add_source(setup, source);
  double highest_frequency = physics::highest_frequency(sources);
  for (const physics::Port& port : ports) {
    add_port(setup, port);
    if (port.is_excited()) highest_frequency = std::max(highest_frequency, physics::highest_frequency(port.waveform));
  }
  check_apart(setup, ports);
  for (const BoundaryList& list : boundary_lists(setup, *d_))
    fields_.for_parts([&](auto& part) { part.boundaries.push_back(part.engine->make_boundary(list)); });
  scheme_ = make_step_scheme(setup, *d_, fields_);
  monitors_.emplace(*d_, this->engine(), imaginary_engine_or_null(), shown_, bloch_phase_, highest_frequency, comm_);
}

template <class Stored>
void FdtdSolver<Stored>::add_source(const grid::Setup& setup, const physics::Source& source) {
  if (fields_.imaginary && source.type == physics::Source::Type::plane_wave)
    throw Error(
        fmt::format("{}: source.{}: a plane wave does not fit sides of "
                    "type bloch; a sheet takes their phase",
                    source.origin, source.name));
  const bool takes_phase = fields_.imaginary && source.type == physics::Source::Type::sheet;
  const std::vector<DiscreteSource> all = discrete_source(setup, *d_, source);
  for (const DiscreteSource& lists : all) add_lists(setup, lists, takes_phase);
  if constexpr (is_compressed<Stored>) source_sizes_.push_back(size_of(source, all));
}

// has_phase: between sides of type bloch, that of the sides.
template <class Stored>
void FdtdSolver<Stored>::add_lists(const grid::Setup& setup, const DiscreteSource& lists, bool has_phase) {
  power_bound_ += lists.power_bound;
  const auto add = [&](FieldPart<Stored>& part, bool imaginary) {
    auto& terms = part.sources.emplace_back();
    for (SourceList list : lists.lists) {
      if (has_phase) list = bloch_part(setup, *d_, list, imaginary);
      if (imaginary && list.replaces)  // a real field
        for (SourceEntry& entry : list.entries) entry.weight = 0;
      terms.push_back(part.engine->make_source_term(list));
    }
  };
  add(fields_.real, false);
  const auto replaces = [](const SourceList& list) { return list.replaces; };
  if (has_phase || (fields_.imaginary && std::any_of(lists.lists.begin(), lists.lists.end(), replaces)))
    add(*fields_.imaginary, true);
}

// As many steps at once as the scheme takes.
template <class Stored>
void FdtdSolver<Stored>::advance(std::int64_t steps) {
  for (const std::int64_t last = step_ + steps; step_ < last;) {
    std::int64_t stop = last;
    if constexpr (is_compressed<Stored>) {
      follow_fields();
      stop = std::min(last, (step_ / steps_of_unit + 1) * steps_of_unit);
    }
    if (!fields_.real.ports.empty()) {
      constexpr std::int64_t most = PortTerm::most_records;
      if (step_ % most == 0) take_port_records();
      stop = std::min(stop, (step_ / most + 1) * most);
    }
    step_ += scheme_->advance(step_, stop - step_);
  }
}

template <class Stored>
bool FdtdSolver<Stored>::start_plane_passes(const grid::Setup& setup, PlaneFields components) {
  if (d_->has_damping) return false;  // half steps only
  auto passes = make_plane_passes(setup, *d_, fields_, components);
  if (!passes) return false;
  scheme_ = std::move(passes);
  return true;
}

template <class Stored>
std::string FdtdSolver<Stored>::start_volume_passes(std::size_t frequencies, bool measured, Timers* timers) {
  std::string why_not;
  Timers unused;
  if (auto passes = make_volume_passes(*d_, fields_, loop_bytes(frequencies), measured, comm_,
                                       timers != nullptr ? *timers : unused, why_not))
    scheme_ = std::move(passes);
  else if (scheme_->description().empty())
    description_ = fmt::format(
        "one time step in two passes over memory: {}{}", why_not,
        is_compressed<Stored> ? "; where solver.precision = single takes several steps per pass, it is faster" : "");
  return why_not;
}

// docs/notebook/README.md: 48 bytes per cell in single precision, 24 for the three components of a plane: each is read
// and written once. Operations: two differences, three sums and an update per component, without layers and poles.
template <class Stored>
solver::Costs FdtdSolver<Stored>::costs() const {
  const std::int64_t unknowns =
      (fields_.imaginary ? 2 : 1) * components_ * d_->global_cells[0] * d_->global_cells[1] * d_->global_cells[2];
  return {unknowns, 1, 2.0 * sizeof(Stored) * double(unknowns), 8.0 * double(unknowns)};
}

template <class Stored>
solver::SourceWork FdtdSolver<Stored>::work() const {
  return {work_before_ + scheme_->source_work(), std::abs(work_before_) + scheme_->gross_work(),
          step_ == 0 ? 0 : power_bound_ * d_->time_step * double(step_)};
}

template <class Stored>
void FdtdSolver<Stored>::start_dft(const std::vector<double>& angular_frequencies) {
  const std::size_t reals = engine().electric().size();
  auto& memory = engine().memory();
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back({omega, parallel::Array<Real>(reals, memory), parallel::Array<Real>(reals, memory),
                        parallel::Array<Real>(reals, memory), parallel::Array<Real>(reals, memory)});
}

template <class Stored>
double FdtdSolver<Stored>::loop_bytes(std::size_t frequencies) const {
  // The sums; where sources add to H, H before a step with its layers' sums, kept for the energy, which plane passes
  // take from their own arrays.
  std::size_t bytes = 4 * frequencies * engine().electric().size() * sizeof(Real);
  if (!scheme_->has_own_sums() && !fields_.real.terms(HalfStep::magnetic).empty()) {
    bytes += engine().magnetic().size() * sizeof(Stored);
    for (int axis = 0; axis < 3; ++axis) bytes += d_->layer_reals(axis) * sizeof(Real);
  }
  return static_cast<double>(bytes);
}

template <class Stored>
double FdtdSolver<Stored>::memory_bytes() const {
  double bytes =
      engine().memory_bytes() + (fields_.imaginary ? imaginary_engine().memory_bytes() : 0) + scheme_->memory_bytes();
  for (const Phasor<Real>& p : phasors_)
    for (const auto* part : {&p.electric_real, &p.electric_imag, &p.magnetic_real, &p.magnetic_imag})
      bytes += part->bytes();
  return bytes;
}

// F += w f(t) exp(i omega t), so that f = Re F exp(-i omega t) with w = 2 / T over whole periods.
template <class Stored>
void FdtdSolver<Stored>::accumulate_dft(double weight) {
  const double time = double(step_) * d_->time_step;
  for (auto& p : phasors_) {
    const double w = p.angular_frequency, late = time - 0.5 * d_->time_step;
    engine().accumulate_phasor(engine().electric(), unit(), weight * std::cos(w * time), weight * std::sin(w * time),
                               p.electric_real, p.electric_imag);
    engine().accumulate_phasor(engine().magnetic(), engine().magnetic_unit(), weight * std::cos(w * late),
                               weight * std::sin(w * late), p.magnetic_real, p.magnetic_imag);
    if (!fields_.imaginary) continue;
    // i u (c + i s) = -s u + i c u
    imaginary_engine().wait();
    engine().accumulate_phasor(imaginary_engine().electric(), unit(), -weight * std::sin(w * time),
                               weight * std::cos(w * time), p.electric_real, p.electric_imag);
    engine().accumulate_phasor(imaginary_engine().magnetic(), engine().magnetic_unit(), -weight * std::sin(w * late),
                               weight * std::cos(w * late), p.magnetic_real, p.magnetic_imag);
    engine().wait();
  }
}

template <class Stored>
std::vector<double> FdtdSolver<Stored>::absorbed(std::size_t frequency, const grid::Media& media,
                                                 const NodeBox& box) const {
  return powers().absorbed(phasors_[frequency], media, box);
}

template <class Stored>
std::vector<double> FdtdSolver<Stored>::absorbed(std::size_t frequency, const grid::Media& media, const NodeBox& box,
                                                 const CellsOfMaterials& cells) const {
  return powers().absorbed(phasors_[frequency], media, box, cells);
}

template <class Stored>
double FdtdSolver<Stored>::absorbed_bytes(double angular_frequency) const {
  return powers().absorbed_bytes(angular_frequency);
}

template <class Stored>
double FdtdSolver<Stored>::outflow(std::size_t frequency, const NodeBox& box) const {
  return powers().outflow(phasors_[frequency], box);
}

template <class Stored>
Powers<Stored> FdtdSolver<Stored>::powers() const {
  return {*d_, engine(), materials_, shown_, comm_};
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
