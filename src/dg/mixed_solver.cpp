#include "dgtd/dg/mixed_solver.hpp"

#include <fmt/format.h>

#include <cassert>
#include <numeric>

#include "dgtd/dg/leap_frog.hpp"

namespace dgtd::dg {

namespace {

// Name of an entry or array of a part in checkpoints.
std::string name_in_part(const std::string& name, int order) { return fmt::format("{}, order {}", name, order); }

}  // namespace

template <class Real>
MixedDiscretisation<Real>::MixedDiscretisation(const mesh::Subdomain& whole, const MixedSetup& setup,
                                               const parallel::Communicator& comm, const MakePartExecutors<Real>& make)
    : mesh(whole), parts(parts_by_order(whole, setup.order_of_element, comm)) {
  std::vector<const Discretisation<Real>*> of_parts;
  for (const OrderPart& part : parts.parts) {
    LayerRates layers;
    layers.convolutional = setup.layers.convolutional;
    for (const std::uint32_t e : part.elements)
      if (!setup.layers.empty()) layers.push_back(setup.layers[e]);
    d.push_back(std::make_unique<Discretisation<Real>>(
        part.mesh, setup.materials, setup.boundary_kind, part.order, setup.incident, setup.lanes,
        levels_of_part(setup.levels, whole, part, comm), std::move(layers), std::vector<BlochFace>(), setup.curved));
    of_parts.push_back(d.back().get());
  }
  PartExecutors<Real> made =
      make ? make(parts, of_parts) : make_cpu_part_executors<Real>(parts, of_parts, setup.fusion, comm);
  executors = std::move(made.executors);
  joints = std::move(made.joints);
}

template <class Real>
OperatorParts<Real> MixedDiscretisation<Real>::whole() const {
  std::vector<OperatorPart<Real>> of_parts;
  for (std::size_t p = 0; p < d.size(); ++p) of_parts.push_back({*d[p], *executors[p]});
  return {std::move(of_parts), joints.get()};
}

template <class Real>
StabilityLimit MixedDiscretisation<Real>::stability_limit(const parallel::Communicator& comm) const {
  return dg::stability_limit(whole().list(), joints.get(), comm);
}

template <class Real>
LevelTimeStep<Real> MixedDiscretisation<Real>::level_time_step(const parallel::Communicator& comm) {
  std::vector<SteppedPart<Real>> of_parts;
  for (std::size_t p = 0; p < d.size(); ++p) of_parts.push_back({*d[p], *executors[p]});
  return {std::move(of_parts), joints.get(), comm};
}

namespace {

// [parts][sources of the part]: waves through the absorbing boundary are those of all parts. Collective.
std::vector<std::vector<physics::Source>> sources_of_parts(const mesh::Subdomain& mesh, const OrderParts& parts,
                                                           const std::vector<physics::Source>& sources,
                                                           const parallel::Communicator& comm) {
  std::vector<std::vector<physics::Source>> of_parts(parts.parts.size());
  for (const physics::Source& source : sources) {
    if (source.type != physics::Source::Type::dipole) {
      assert(enters_through_boundary(source));
      for (auto& list : of_parts) list.push_back(source);
      continue;
    }
    const PointLocation place =
        locate(mesh, source.position, fmt::format("{}: [source.{}]", source.origin, source.name), comm);
    const auto part = comm.max(place.mine ? std::int64_t{parts.part_of_element[place.element]} : -1);
    of_parts[static_cast<std::size_t>(part)].push_back(source);
  }
  return of_parts;
}

}  // namespace

template <class Real>
MixedSolver<Real>::MixedSolver(MixedDiscretisation<Real> of, double dt, const std::vector<physics::Source>& sources,
                               const std::vector<std::string>& material_names, const parallel::Communicator& comm)
    : mesh_(of.mesh), places_(std::move(of.parts)), comm_(comm) {
  if (of.d.front()->time_levels.finest > 0) local_steps_ = std::make_unique<LocalSteps<Real>>(of.whole());
  joints_ = std::move(of.joints);
  const auto of_parts = sources_of_parts(mesh_, places_, sources, comm);
  costs_.updates_per_step = 0;
  for (std::size_t p = 0; p < places_.parts.size(); ++p) {
    const double updates = of.d[p]->time_levels.updates;
    const auto make_integrator = [&, p](const Dynamics<Real>& dynamics) {
      return std::make_unique<LeapFrog<Real>>(dynamics, dt, local_steps_.get(), p);
    };
    parts_.push_back(std::make_unique<DgSolver<Real>>(std::move(of.d[p]), std::move(of.executors[p]), dt, of_parts[p],
                                                      material_names, comm, make_integrator));
    electric_.push_back(&parts_[p]->electric());
    magnetic_.push_back(&parts_[p]->magnetic());
    const auto elements = comm.sum(static_cast<std::int64_t>(places_.parts[p].elements.size()));
    const solver::Costs costs = costs_of_elements(places_.parts[p].order, sizeof(Real), elements, updates);
    costs_.unknowns += costs.unknowns;
    costs_.updates_per_step += updates * static_cast<double>(elements) / static_cast<double>(mesh_.global_elements);
    costs_.compulsory_bytes_per_step += costs.compulsory_bytes_per_step;
    costs_.operations_per_step += costs.operations_per_step;
  }
}

// The half step of a field reads the other one.
template <class Real>
void MixedSolver<Real>::exchange(HalfStep half) {
  joints_->exchange(half == HalfStep::magnetic ? electric_ : magnetic_);
}

template <class Real>
void MixedSolver<Real>::start_local_steps() {
  if (local_steps_ && !local_steps_->is_started) local_steps_->start_from(magnetic_, comm_);
}

// A device replays the steps of all parts as one piece of work, which begins and ends with the first one. Messages to
// other ranks are no part of that.
template <class Real>
void MixedSolver<Real>::repeat_steps(int count, const std::function<void(int)>& step) {
  if (comm_.size() > 1) {
    for (int i = 0; i < count; ++i) step(i);
    return;
  }
  tell_of_host_writes();
  joints_->join();
  parts_.front()->executor().repeat_steps(count, [&](int i) {
    if (i == 0) joints_->fork();
    step(i);
    if (i == count - 1) joints_->join();
  });
  joints_->fork();
  for (std::size_t p = 1; p < parts_.size(); ++p) parts_[p]->executor().memory().note_replay();
}

// The first part replays work on the arrays of all parts, which may be in memories of their own.
template <class Real>
void MixedSolver<Real>::tell_of_host_writes() {
  host_writes_.resize(parts_.size());
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    const std::uint64_t writes = parts_[p]->executor().memory().host_writes();
    if (writes != host_writes_[p]) parts_.front()->executor().memory().note_host_write();
    host_writes_[p] = writes;
  }
}

template <class Real>
void MixedSolver<Real>::advance(std::int64_t steps) {
  start_local_steps();
  std::vector<DgSolver<Real>*> parts;
  for (const auto& part : parts_) parts.push_back(part.get());
  const auto filter = [this] {
    if (local_steps_) local_steps_->filter(1, magnetic_, local_steps_->unfiltered_of_parts());
  };
  const auto take = [this](int count, const std::function<void(int)>& step) { repeat_steps(count, step); };
  DgSolver<Real>::advance_together(parts, steps, {[this](HalfStep half) { exchange(half); }, filter, take});
}

template <class Real>
void MixedSolver<Real>::wait() {
  for (const auto& part : parts_) part->wait();
}

template <class Real>
template <class Term>
double MixedSolver<Real>::sum_over_parts(const Term& term) const {
  return std::accumulate(parts_.begin(), parts_.end(), 0.0,
                         [&](double sum, const auto& part) { return sum + term(*part); });
}

// The energy contains the next H, and so a half step of it.
template <class Real>
double MixedSolver<Real>::energy() {
  start_local_steps();
  exchange(HalfStep::magnetic);
  return sum_over_parts([](DgSolver<Real>& part) { return part.energy(); });
}

template <class Real>
solver::SourceWork MixedSolver<Real>::work() const {
  solver::SourceWork all;
  for (const auto& part : parts_) {
    const solver::SourceWork work = part->work();
    all.done += work.done, all.gross += work.gross, all.incident_bound += work.incident_bound;
  }
  return all;
}

template <class Real>
solver::Instability MixedSolver<Real>::find_instability(double& severity) const {
  solver::Instability worst;
  severity = -1;
  for (const auto& part : parts_) {
    double of_part = -1;
    const solver::Instability place = part->find_instability(of_part);
    if (of_part <= severity) continue;
    severity = of_part;
    worst = place;
  }
  return worst;
}

template <class Real>
void MixedSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  for (const auto& part : parts_) part->start_dft(angular_frequencies);
}

template <class Real>
void MixedSolver<Real>::accumulate_dft(double weight) {
  for (const auto& part : parts_) part->accumulate_dft(weight);
}

template <class Real>
bool MixedSolver<Real>::add_probe(const std::string& name, const Vec3& position, const std::string& origin) {
  const PointLocation place = locate(mesh_, position, fmt::format("{}: [probe.{}]", origin, name), comm_);
  if (place.mine) probes_[name] = place;
  return place.mine;
}

template <class Real>
solver::FieldSample MixedSolver<Real>::probe(const std::string& name) const {
  const PointLocation& place = probes_.at(name);
  const auto value = [&](solver::Quantity::Field field) {
    std::array<double, 3> v{};
    sample({field, solver::Quantity::Part::present, 0}, {place.barycentric}, std::span(&place.element, 1), v.data());
    return Vec3{v[0], v[1], v[2]};
  };
  return {value(solver::Quantity::Field::electric), value(solver::Quantity::Field::magnetic)};
}

template <class Real>
void MixedSolver<Real>::set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) {
  for (const auto& part : parts_) part->set_fields(electric, magnetic);
}

template <class Real>
void MixedSolver<Real>::randomise_fields() {
  for (const auto& part : parts_) part->randomise_fields();
  if (local_steps_) local_steps_->start_random(magnetic_);
}

template <class Real>
std::array<double, 4> MixedSolver<Real>::squared_errors(const solver::VectorFunction& electric,
                                                        const solver::VectorFunction& magnetic) const {
  std::array<double, 4> errors{};
  for (const auto& part : parts_) {
    const auto of_part = part->squared_errors(electric, magnetic);
    for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += of_part[i];
  }
  return errors;
}

template <class Real>
std::uint64_t MixedSolver<Real>::fields_hash() const {
  std::uint64_t hash = 0;
  for (const auto& part : parts_) hash += part->fields_hash();
  return hash;
}

template <class Real>
double MixedSolver<Real>::halo_wait_seconds() const {
  return sum_over_parts([](const DgSolver<Real>& part) { return part.halo_wait_seconds(); }) + joints_->wait_seconds();
}

template <class Real>
double MixedSolver<Real>::memory_bytes() const {
  return sum_over_parts([](const DgSolver<Real>& part) { return part.memory_bytes(); }) + joints_->memory_bytes() +
         (local_steps_ ? local_steps_->memory_bytes() : 0);
}

template <class Real>
double MixedSolver<Real>::loop_bytes(std::size_t frequencies) const {
  return sum_over_parts([&](const DgSolver<Real>& part) { return part.loop_bytes(frequencies); });
}

template <class Real>
std::vector<std::uint32_t> MixedSolver<Real>::stored_order() const {
  std::vector<std::uint32_t> order;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const std::uint32_t e : parts_[p]->stored_order()) order.push_back(places_.parts[p].elements[e]);
  return order;
}

template <class Real>
std::vector<typename MixedSolver<Real>::Run> MixedSolver<Real>::runs_of(std::span<const std::uint32_t> elements) const {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::size_t part = places_.part_of_element[elements[i]];
    if (runs.empty() || runs.back().part != part) runs.push_back({part, i, {}});
    runs.back().elements.push_back(places_.place_in_part[elements[i]]);
  }
  return runs;
}

template <class Real>
void MixedSolver<Real>::sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                               std::span<const std::uint32_t> elements, double* values) const {
  for (const Run& run : runs_of(elements))
    parts_[run.part]->sample(quantity, points, run.elements, values + run.first * points.size() * 3);
}

template <class Real>
std::vector<double> MixedSolver<Real>::mean_square_electric(std::optional<std::size_t> frequency) const {
  std::vector<double> mean(mesh_.elements());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::vector<double> of_part = parts_[p]->mean_square_electric(frequency);
    for (std::size_t e = 0; e < of_part.size(); ++e) mean[places_.parts[p].elements[e]] = of_part[e];
  }
  return mean;
}

template <class Real>
double MixedSolver<Real>::outflow(std::size_t frequency) const {
  return sum_over_parts([&](const DgSolver<Real>& part) { return part.outflow(frequency); });
}

template <class Real>
double MixedSolver<Real>::current_work(std::size_t frequency) const {
  return sum_over_parts([&](const DgSolver<Real>& part) { return part.current_work(frequency); });
}

template <class Real>
std::size_t MixedSolver<Real>::add_sums(std::span<const std::uint32_t> elements,
                                        const std::vector<double>& frequencies) {
  std::vector<Run> of_part(parts_.size());
  for (Run& run : runs_of(elements)) of_part[run.part] = std::move(run);
  Sums sums;
  std::size_t first = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    sums.of_part.push_back(parts_[p]->add_sums(of_part[p].elements, frequencies));
    sums.first.push_back(first);
    first += of_part[p].elements.size();
  }
  sums_.push_back(std::move(sums));
  return sums_.size() - 1;
}

template <class Real>
void MixedSolver<Real>::accumulate_sums(std::size_t sums, double weight) {
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->accumulate_sums(sums_.at(sums).of_part[p], weight);
}

template <class Real>
void MixedSolver<Real>::sample_sums(std::size_t sums, solver::Quantity quantity,
                                    const std::vector<std::array<double, 4>>& points, double* values) const {
  const Sums& of = sums_.at(sums);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    parts_[p]->sample_sums(of.of_part[p], quantity, points, values + of.first[p] * points.size() * 3);
}

template <class Real>
solver::State MixedSolver<Real>::save() const {
  solver::State state;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const solver::State of_part = parts_[p]->save();
    for (const auto& [name, entry] : of_part.entries())
      state.set_numbers(name_in_part(name, places_.parts[p].order), entry.values, entry.held);
  }
  return state;
}

template <class Real>
void MixedSolver<Real>::load(const solver::State& state) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    solver::State of_part;
    const std::string end = name_in_part("", places_.parts[p].order);
    for (const auto& [name, entry] : state.entries())
      if (name.ends_with(end)) of_part.set_numbers(name.substr(0, name.size() - end.size()), entry.values, entry.held);
    parts_[p]->load(of_part);
  }
}

// The elements of a part are not all those of the mesh.
template <class Real>
std::vector<solver::PersistentArray> MixedSolver<Real>::persistent_arrays() {
  std::vector<solver::PersistentArray> arrays;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const int order = places_.parts[p].order;
    std::map<std::string, std::shared_ptr<const solver::Items>> renamed;
    for (solver::PersistentArray& array : parts_[p]->persistent_arrays()) {
      auto& items = renamed[array.items->name];
      if (!items) {
        auto of_part = std::make_shared<solver::Items>(*array.items);
        of_part->name = name_in_part(of_part->name, order);
        of_part->complete = false;
        items = of_part;
      }
      array.items = items;
      array.name = name_in_part(array.name, order);
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

template struct MixedDiscretisation<float>;
template struct MixedDiscretisation<double>;
template class MixedSolver<float>;
template class MixedSolver<double>;

}  // namespace dgtd::dg
