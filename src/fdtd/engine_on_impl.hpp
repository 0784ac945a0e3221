#pragma once
// The engine's calls; engine_on.hpp declares them.

namespace dgtd::fdtd {

inline bool before_in_memory(const Tile& a, const Tile& b) {
  return std::tie(a.first[2], a.first[1], a.first[0]) < std::tie(b.first[2], b.first[1], b.first[0]);
}

template <class Real, class Backend>
EngineOn<Real, Backend>::EngineOn(const Discretisation<Real>& d, Schedule schedule, std::unique_ptr<Backend> backend)
    : d_(d),
      schedule_(schedule),
      backend_(std::move(backend)),
      electric_(3 * static_cast<std::size_t>(d.layout.reals), backend_->memory()),
      magnetic_(electric_.size(), backend_->memory()) {
  bytes_ = 2.0 * double(electric_.size()) * sizeof(Real);
  load(half_[0], d.electric);
  load(half_[1], d.magnetic);
  const std::size_t slots = static_cast<std::size_t>(d.pole_slots) * 3 * cells_of_tile;
  currents_ = zeros<Real>(slots * static_cast<std::size_t>(d.pole_count + d.resonant_count));
  if (schedule == Schedule::split) current_sums_ = zeros<Real>(slots);
  poles_ = copy(d.poles);
  poles_of_class_ = copy(d.poles_of_class);
  series_ = {copy(d.series.index),
             copy(d.series.medium),
             copy(d.series.share),
             zeros<Real>(d.series.share.size()),
             zeros<Real>(d.series.share.size() * static_cast<std::size_t>(d.pole_count + d.resonant_count)),
             copy(d.series.pole_set)};
  for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic}) {
    const BlockHalo list = block_halo(d, half);
    Halo& halo = halo_[index(half)];
    halo.send = copy(list.send);
    halo.receive = copy(list.receive);
    halo.exchange = backend_->template make_exchange<Real>(list.plan);
  }
}

/// Batches that differ only by absorbing layers as one, its tiles in the order of memory.
inline std::vector<TileBatch> joined(const std::vector<TileBatch>& batches) {
  std::map<std::tuple<bool, bool, bool>, TileBatch> by_kind;
  for (const TileBatch& b : batches) {
    TileBatch& to = by_kind[{b.next_to_halo, b.dispersive, b.mixed}];
    to.mixed = b.mixed, to.dispersive = b.dispersive, to.next_to_halo = b.next_to_halo;
    to.layered = to.layered || b.layered;
    to.tiles.insert(to.tiles.end(), b.tiles.begin(), b.tiles.end());
  }
  std::vector<TileBatch> result;
  for (auto& [kind, batch] : by_kind) {
    std::sort(batch.tiles.begin(), batch.tiles.end(), before_in_memory);
    result.push_back(std::move(batch));
  }
  return result;
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::load(Half& half, const HalfStepArrays<Real>& from) {
  for (int a = 0; a < 3; ++a) {
    half.axis[a][0] = copy(from.axis[a].inverse_distance);
    half.axis[a][1] = copy(from.axis[a].decay);
    half.axis[a][2] = copy(from.axis[a].drive);
    half.layer[a] = zeros<Real>(std::size_t(d_.layer_slots[a]) * 2 * cells_of_tile);
  }
  half.classes = copy(from.classes);
  half.class_of = copy(from.class_of);
  for (const TileBatch& b : Backend::joins_layers ? joined(from.batches) : from.batches) {
    half.batches.push_back({b.layered, b.mixed, b.dispersive, b.next_to_halo, copy(b.tiles), {}});
    for (int layer = 0; layer <= d_.layout.tiles[2]; ++layer)
      half.batches.back().layer.push_back(std::count_if(
          b.tiles.begin(), b.tiles.end(), [&](const Tile& t) { return t.first[2] < layer * tile_cells(2); }));
  }
}

template <class Real, class Backend>
HalfStepView<Real> EngineOn<Real, Backend>::view(HalfStep half) {
  Half& h = half_[index(half)];
  HalfStepView<Real> v{};
  v.layout = d_.layout;
  for (int a = 0; a < 3; ++a) {
    v.source[a] = source(half).read() + a * d_.layout.reals;
    v.target[a] = target(half).write() + a * d_.layout.reals;
    v.axis[a] = {h.axis[a][0].read(), h.axis[a][1].read(), h.axis[a][2].read()};
    v.layer[a] = h.layer[a].write();
  }
  v.classes = h.classes.read();
  v.class_of = h.class_of.read();
  v.poles_of_class = poles_of_class_.read();
  v.poles = poles_.read();
  v.currents = currents_.write();
  v.pole_count = d_.pole_count;
  v.resonant_count = d_.resonant_count;
  return v;
}

// run(body) launches a kernel's body on tiles of the batch.
template <class Real, class Backend>
template <class Run>
void EngineOn<Real, Backend>::launch(HalfStep half, const Batch& b, const HalfStepView<Real>& v, const Run& run) {
  const auto of_kind = [&](auto layered, auto mixed) {
    constexpr bool l = decltype(layered)::value, m = decltype(mixed)::value;
    if (half == HalfStep::magnetic) return run(UpdateField<Real, Difference::forward, l, m, false>{v});
    if (b.dispersive && schedule_ == Schedule::split) {
      run(UpdatePoles<Real, m>{v, current_sums_.write()});
      return run(UpdateElectricWithSums<Real, l, m>{v, current_sums_.write()});
    }
    if (b.dispersive) return run(UpdateField<Real, Difference::backward, l, m, true>{v});
    run(UpdateField<Real, Difference::backward, l, m, false>{v});
  };
  if (b.layered && b.mixed) of_kind(std::true_type{}, std::true_type{});
  else if (b.layered) of_kind(std::true_type{}, std::false_type{});
  else if (b.mixed) of_kind(std::false_type{}, std::true_type{});
  else of_kind(std::false_type{}, std::false_type{});
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::update(HalfStep half, bool next_to_halo, Queue queue) {
  const HalfStepView<Real> v = view(half);
  for (const Batch& b : half_[index(half)].batches)
    if (b.next_to_halo == next_to_halo)
      launch(half, b, v, [&](const auto& body) {
        backend_->for_tiles(queue, b.tiles.read(), static_cast<std::int64_t>(b.tiles.size()), body);
      });
}

// H at a place reads E there and at higher indices, E reads H there and at lower ones: plane by plane upwards, E
// may follow H at once. A thread's last H plane comes before all else, since the thread above begins with E on it.
template <class Real, class Backend>
void EngineOn<Real, Backend>::update_interior_once(const std::vector<const SourceTerm*>& magnetic, double time) {
  if constexpr (Backend::one_pass) {
    const HalfStepView<Real> views[2] = {view(HalfStep::electric), view(HalfStep::magnetic)};
    const auto plane_of = [&](HalfStep half, int k) {
      for (const Batch& b : half_[index(half)].batches)
        if (const auto layer = k / tile_cells(2); !b.next_to_halo && b.layer[layer] < b.layer[layer + 1])
          launch(half, b, views[index(half)], [&](const auto& body) {
            backend_->for_plane(b.tiles.read() + b.layer[layer], b.layer[layer + 1] - b.layer[layer], k % tile_cells(2),
                                body);
          });
    };
    backend_->sweep(
        d_.layout.cells[2],
        [&](int k) {
          plane_of(HalfStep::magnetic, k);
          for (const SourceTerm* d : magnetic) {
            const auto& list = static_cast<const SourceTermCopy&>(*d);
            const AddSourceTerm<Real> body = source_body(list, time);
            for (std::int64_t i = list.plane[k + 1]; i < list.plane[k + 2]; ++i) body(i);
          }
        },
        [&](int k) { plane_of(HalfStep::electric, k); });
  }
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::update_interior(HalfStep half) {
  update(half, false, Queue::main);
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::update_next_to_halo(HalfStep half) {
  update(half, true, Queue::halo);
  backend_->main_waits();
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::update_series() {
  const auto n = static_cast<std::int64_t>(series_.index.size());
  if (n == 0) return;
  const SeriesView<Real> s{n,
                           series_.index.read(),
                           series_.medium.read(),
                           series_.share.read(),
                           series_.pole_set.read(),
                           series_.value.write(),
                           series_.currents.write()};
  backend_->for_each(Queue::main, n, UpdateSeries<Real>{view(HalfStep::electric), s, electric_.write()});
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::start_exchange(HalfStep half) {
  Halo& h = halo_[index(half)];
  backend_->halo_waits();
  if (h.send.size() > 0)
    backend_->for_each(Queue::halo, static_cast<std::int64_t>(h.send.size()),
                       Gather<Real>{source(half).read(), h.send.read(), h.exchange->send_view()});
  h.exchange->start();
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::finish_exchange(HalfStep half) {
  Halo& h = halo_[index(half)];
  h.exchange->finish();
  if (h.receive.size() > 0)
    backend_->for_each(Queue::halo, static_cast<std::int64_t>(h.receive.size()),
                       Scatter<Real>{source(half).write(), h.receive.read(), h.exchange->receive_buffer()});
}

// Entries in the order in which update_interior_once wants them.
template <class Real, class Backend>
std::unique_ptr<SourceTerm> EngineOn<Real, Backend>::make_source_term(HalfStep half, const SourceTermList& list,
                                                                      const physics::WaveformShape& shape) {
  const GridLayout& l = d_.layout;
  std::vector<std::int64_t> place;  // [entry] 0: next to a halo; 1 + plane
  for (const std::uint64_t index : list.index) {
    const auto [i, j, k] = l.cell_at(static_cast<std::int64_t>(index % static_cast<std::uint64_t>(l.reals)));
    place.push_back(d_.next_to_halo(half == HalfStep::electric, {i, j, k}) ? 0 : k + 1);
  }
  std::vector<std::size_t> order(list.index.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  const auto sorted = [&](const auto& from) {
    auto to = from;
    for (std::size_t i = 0; i < order.size(); ++i) to[i] = from[order[i]];
    return to;
  };
  auto made = std::make_unique<SourceTermCopy>();
  made->half = half;
  made->plane.assign(static_cast<std::size_t>(l.cells[2]) + 2, 0);
  for (const std::int64_t p : place) ++made->plane[static_cast<std::size_t>(p) + 1];
  std::partial_sum(made->plane.begin(), made->plane.end(), made->plane.begin());
  made->index = copy(sorted(list.index));
  made->weight = copy(sorted(list.weight));
  made->delay = copy(sorted(list.delay));
  made->shape = shape;
  made->replaces = list.replaces;
  made->moment = copy(list.moment.empty() ? list.moment : sorted(list.moment));
  made->work = zeros<double>(list.moment.size());
  made->before = zeros<Real>(list.moment.size());
  return made;
}

template <class Real, class Backend>
AddSourceTerm<Real> EngineOn<Real, Backend>::source_body(const SourceTermCopy& list, double time) {
  return {target(list.half).write(),
          list.index.read(),
          list.weight.read(),
          list.delay.read(),
          list.shape,
          time,
          list.replaces};
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::drive(const SourceTerm& drive, double time) {
  const auto& list = static_cast<const SourceTermCopy&>(drive);
  if (list.index.size() > 0)
    backend_->for_each(Queue::main, static_cast<std::int64_t>(list.index.size()), source_body(list, time));
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::add_source_next_to_halo(const SourceTerm& drive, double time) {
  const auto& list = static_cast<const SourceTermCopy&>(drive);
  if (list.plane[1] > 0) backend_->for_each(Queue::main, list.plane[1], source_body(list, time));
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::add_work(SourceTerm& drive, double time) {
  auto& list = static_cast<SourceTermCopy&>(drive);
  if (list.moment.size() == 0) return;
  backend_->for_each(Queue::main, static_cast<std::int64_t>(list.moment.size()),
                     AddWork<Real>{electric_.read(), list.index.read(), list.moment.read(), list.delay.read(),
                                   list.shape, time, d_.time_step, list.before.write(), list.work.write()});
}

template <class Real, class Backend>
double EngineOn<Real, Backend>::work(const SourceTerm& drive) const {
  const auto& list = static_cast<const SourceTermCopy&>(drive);
  std::vector<double> sums(list.work.size());
  if (!sums.empty()) backend_->memory().download(sums.data(), list.work.read(), sums.size() * sizeof(double));
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

template <class Real, class Backend>
std::unique_ptr<BoundaryCondition> EngineOn<Real, Backend>::make_boundary(const BoundaryList& list) {
  auto made = std::make_unique<BoundaryCopy>();
  made->wall = copy(list.wall);
  made->inner = copy(list.inner);
  made->factor = copy(std::vector<Real>(list.factor.begin(), list.factor.end()));
  made->kept = zeros<Real>(2 * list.wall.size());
  return made;
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::keep_boundary(BoundaryCondition& wall) {
  auto& w = static_cast<BoundaryCopy&>(wall);
  if (w.wall.size() == 0) return;
  backend_->for_each(Queue::main, static_cast<std::int64_t>(w.wall.size()),
                     KeepBoundary<Real>{electric_.read(), w.wall.read(), w.inner.read(), w.kept.write()});
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::update_boundary(const BoundaryCondition& wall) {
  const auto& w = static_cast<const BoundaryCopy&>(wall);
  if (w.wall.size() == 0) return;
  backend_->for_each(
      Queue::main, static_cast<std::int64_t>(w.wall.size()),
      UpdateBoundary<Real>{electric_.write(), w.wall.read(), w.inner.read(), w.factor.read(), w.kept.read()});
}

template <class Real, class Backend>
std::unique_ptr<BlochPhase> EngineOn<Real, Backend>::make_bloch_phase(const GhostPhases& list) {
  auto made = std::make_unique<BlochPhaseCopy>();
  made->index = copy(list.index);
  made->cosine = copy(std::vector<Real>(list.cosine.begin(), list.cosine.end()));
  made->sine = copy(std::vector<Real>(list.sine.begin(), list.sine.end()));
  return made;
}

// The two engines have queues of their own: each waits for the other.
template <class Real, class Backend>
void EngineOn<Real, Backend>::apply_bloch_phase(HalfStep half, Engine<Real>& imaginary, const BlochPhase& turns) {
  const auto& t = static_cast<const BlochPhaseCopy&>(turns);
  imaginary.wait();
  Real* const other = (half == HalfStep::electric ? imaginary.magnetic() : imaginary.electric()).write();
  if (t.index.size() > 0)
    backend_->for_each(
        Queue::halo, static_cast<std::int64_t>(t.index.size()),
        ApplyBlochPhase<Real>{source(half).write(), other, t.index.read(), t.cosine.read(), t.sine.read()});
  wait();
}

template <class Real, class Backend>
std::unique_ptr<Spectrum> EngineOn<Real, Backend>::make_spectrum(const SpectrumSamples& samples,
                                                                 const std::vector<double>& angular_frequencies) {
  auto made = std::make_unique<SpectrumCopy>();
  made->electric = copy(samples.electric);
  made->below = copy(samples.magnetic_below);
  made->above = copy(samples.magnetic_above);
  made->weight_below = copy(samples.weight_below);
  made->angular = copy(angular_frequencies);
  made->instants = zeros<Real>(std::size_t{instants_together} * made->samples());
  made->factors = zeros<Real>(std::size_t{instants_together} * 4 * angular_frequencies.size());
  made->totals = zeros<Real>(2 * angular_frequencies.size() * made->samples());
  made->engine = this;
  return made;
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::accumulate(Spectrum& spectrum, double time, double weight) {
  auto& s = static_cast<SpectrumCopy&>(spectrum);
  const auto frequencies = static_cast<std::int64_t>(s.angular.size()),
             samples = static_cast<std::int64_t>(s.samples());
  if (samples == 0) return;
  backend_->for_each(Queue::main, frequencies,
                     PhaseFactors<Real>{s.angular.read(), s.factors.write() + s.waiting * 4 * frequencies, time,
                                        time - 0.5 * d_.time_step, weight});
  backend_->for_each(Queue::main, samples,
                     TakeInstant<Real>{electric_.read(), magnetic_.read(), s.electric.read(), s.below.read(),
                                       s.above.read(), s.weight_below.read(), s.instants.write() + s.waiting * samples,
                                       static_cast<std::int64_t>(s.electric.size())});
  if (++s.waiting == instants_together) add_instants(s);
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::add_instants(SpectrumCopy& s) {
  const auto frequencies = static_cast<std::int64_t>(s.angular.size());
  const std::int64_t n[2] = {static_cast<std::int64_t>(s.electric.size()), static_cast<std::int64_t>(s.below.size())};
  if (s.waiting == 0) return;
  constexpr int together = Backend::samples_together;
  const std::int64_t groups[2] = {(n[0] + together - 1) / together, (n[1] + together - 1) / together};
  if (s.waiting == instants_together)
    backend_->for_each(
        Queue::main, groups[0] + groups[1],
        AddInstants<Real, together, instants_together>{
            s.instants.read(), s.factors.read(), s.totals.write(), {n[0], n[1]}, groups[0], frequencies});
  else
    for (int k = 0; k < s.waiting; ++k)
      backend_->for_each(Queue::main, groups[0] + groups[1],
                         AddInstants<Real, together, 1>{s.instants.read() + k * (n[0] + n[1]),
                                                        s.factors.read() + k * 4 * frequencies,
                                                        s.totals.write(),
                                                        {n[0], n[1]},
                                                        groups[0],
                                                        frequencies});
  s.waiting = 0;
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::make_energy_arrays() {
  EnergyArrays& e = energy_;
  for (int a = 0; a < 3; ++a) {
    std::vector<Real> length(static_cast<std::size_t>(d_.layout.tiles[a]) * tile_cells(a), Real(0)), dual = length;
    for (int i = 0; i < d_.layout.cells[a]; ++i) {
      length[i] = static_cast<Real>(d_.nodes[a][i + 2] - d_.nodes[a][i + 1]);
      dual[i] = static_cast<Real>(d_.centres[a][i + 1] - d_.centres[a][i]);
      if (d_.electric.axis[a].inverse_distance[i] != 0)
        dual[i] = static_cast<Real>(1 / d_.electric.axis[a].inverse_distance[i]);
    }
    e.length[a] = copy(length);
    e.dual_length[a] = copy(dual);
  }
  // keep and rate say eps_r: rate = c dt / eps / (1 + x), keep = (1 - x) / (1 + x), so 1 + x = 2 / (1 + keep).
  const auto constants = [&](const std::vector<MediumClass<Real>>& classes) {
    std::vector<Real> relative;
    for (const auto& m : classes)
      relative.push_back(
          m.rate == 0 ? Real(0)
                      : static_cast<Real>(speed_of_light * d_.time_step / double(m.rate) * (1 + double(m.keep)) / 2));
    return relative;
  };
  e.permittivity = copy(constants(d_.electric.classes));
  e.permeability = copy(constants(d_.magnetic.classes));
  const auto in_order = [](const HalfStepArrays<Real>& half) {
    std::vector<Tile> tiles;
    for (const auto& b : half.batches) tiles.insert(tiles.end(), b.tiles.begin(), b.tiles.end());
    std::sort(tiles.begin(), tiles.end(), before_in_memory);
    return tiles;
  };
  e.electric_tiles = copy(in_order(d_.electric));
  e.magnetic_tiles = copy(in_order(d_.magnetic));
  e.sums = zeros<double>(e.electric_tiles.size() * tile_cells(0));
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::keep_magnetic() {
  if (energy_.sums.size() == 0) make_energy_arrays();
  Half& half = half_[index(HalfStep::magnetic)];
  if (energy_.kept.size() == 0) {
    energy_.kept = zeros<Real>(magnetic_.size());
    for (int a = 0; a < 3; ++a) energy_.kept_layer[a] = zeros<Real>(half.layer[a].size());
  }
  copy_reals(magnetic_.read(), energy_.kept.write(), magnetic_.size());
  for (int a = 0; a < 3; ++a) copy_reals(half.layer[a].read(), energy_.kept_layer[a].write(), half.layer[a].size());
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::restore_magnetic() {
  Half& half = half_[index(HalfStep::magnetic)];
  copy_reals(energy_.kept.read(), magnetic_.write(), magnetic_.size());
  for (int a = 0; a < 3; ++a) copy_reals(energy_.kept_layer[a].read(), half.layer[a].write(), half.layer[a].size());
}

template <class Real, class Backend>
void EngineOn<Real, Backend>::copy_reals(const Real* from, Real* to, std::size_t reals) {
  if (reals > 0) backend_->for_each(Queue::main, static_cast<std::int64_t>(reals), CopyReals<Real>{from, to});
}

template <class Real, class Backend>
double EngineOn<Real, Backend>::energy() {
  return energy_of(electric_, energy_.kept.read(), magnetic_);
}

template <class Real, class Backend>
double EngineOn<Real, Backend>::plane_energy(std::int64_t first_step) {
  if (energy_.sums.size() == 0) make_energy_arrays();
  passes_->keep_work();
  passes_->run(first_step, 1, electric_, magnetic_);
  const double energy = energy_of(passes_->old_electric(), passes_->old_magnetic().read(), magnetic_);
  passes_->take_back(electric_, magnetic_);
  return energy;
}

template <class Real, class Backend>
double EngineOn<Real, Backend>::energy_of(parallel::Array<Real>& electric, const Real* magnetic_before,
                                          parallel::Array<Real>& magnetic) {
  EnergyArrays& e = energy_;
  const auto n = static_cast<std::int64_t>(e.sums.size());
  SumEnergy<Real> body{view(HalfStep::electric),
                       view(HalfStep::magnetic),
                       magnetic_before,
                       e.electric_tiles.read(),
                       e.magnetic_tiles.read(),
                       {},
                       {},
                       e.permittivity.read(),
                       e.permeability.read(),
                       e.sums.write()};
  for (int c = 0; c < 3; ++c) {
    body.electric.target[c] = electric.write() + c * d_.layout.reals;
    body.magnetic.target[c] = magnetic.write() + c * d_.layout.reals;
  }
  for (int a = 0; a < 3; ++a) {
    body.length[a] = e.length[a].read();
    body.dual_length[a] = e.dual_length[a].read();
  }
  backend_->for_each(Queue::main, n, body);
  std::vector<double> sums(static_cast<std::size_t>(n));
  if (n > 0) backend_->memory().download(sums.data(), e.sums.read(), sums.size() * sizeof(double));
  double sum = 0;
  for (const double s : sums) sum += s;
  return 0.5 * vacuum_permittivity * sum;
}

template <class Real, class Backend>
solver::Solver::Occupancy EngineOn<Real, Backend>::occupancy() const {
  return backend_->template occupancy<UpdateField<Real, Difference::backward, false, false, false>>();
}

}  // namespace dgtd::fdtd
