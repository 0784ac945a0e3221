#pragma once
// The engine, written once over a backend (parallel/backend.hpp) with these launches besides: for_tiles(queue, tiles,
// count, body) calls body.cells<lanes>(tile, i, j, k) for every row of the tiles. The bodies are the same functions on
// the CPU and on the GPU. A backend with one_pass also sweeps over planes.
#include <algorithm>
#include <optional>

#include "bloch.hpp"
#include "boundary_on.hpp"
#include "decoded_field.hpp"
#include "dgtd/fdtd/kernels/hash_fields.hpp"
#include "dgtd/fdtd/kernels/largest_of_rows.hpp"
#include "dgtd/fdtd/kernels/series_update.hpp"
#include "dgtd/fdtd/kernels/split_update.hpp"
#include "dgtd/fdtd/kernels/update_field.hpp"
#include "dgtd/parallel/backend.hpp"
#include "dgtd/parallel/gather.hpp"
#include "dgtd/parallel/together.hpp"
#include "energy_sum.hpp"
#include "half_arithmetic.hpp"
#include "half_step_on.hpp"
#include "halo.hpp"
#include "pass_halo.hpp"
#include "persistent_items.hpp"
#include "plane_pass.hpp"
#include "port_on.hpp"
#include "source_term.hpp"
#include "spectrum_on.hpp"
#include "sweep_on.hpp"
#include "volume_margins.hpp"
#include "volume_pass.hpp"

namespace dgtd::fdtd {

using parallel::AddPhasor, parallel::CopyReals, parallel::Gather, parallel::Queue, parallel::ScaleReals,
    parallel::Scatter;

template <class Stored, class Backend>
class EngineOn final : public Engine<Stored> {
  using Real = arithmetic_t<Stored>;

 public:
  EngineOn(const Discretisation<Real>& d, KernelFusion fusion, std::unique_ptr<Backend> backend)
      : d_(d),
        fusion_(fusion),
        backend_(std::move(backend)),
        storage_(backend_->memory()),
        electric_(storage_.zeros<Stored>(3 * static_cast<std::size_t>(d.layout.reals))),
        magnetic_(storage_.zeros<Stored>(electric_.size())) {
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
      half_[index(half)].load(d, half, Backend::joins_layers, storage_);
    const std::size_t slots = static_cast<std::size_t>(d.pole_slots) * 3 * cells_of_tile;
    currents_ = storage_.zeros<Real>(slots * static_cast<std::size_t>(d.pole_count + d.resonant_count));
    if (fusion == KernelFusion::split) current_sums_ = storage_.zeros<Real>(slots);
    poles_ = storage_.copy(d.poles);
    poles_of_class_ = storage_.copy(d.poles_of_class);
    series_ = {storage_.copy(d.series.index),
               storage_.copy(d.series.medium),
               storage_.copy(d.series.share),
               storage_.zeros<Real>(d.series.share.size()),
               storage_.zeros<Real>(d.series.share.size() * static_cast<std::size_t>(d.pole_count + d.resonant_count)),
               storage_.copy(d.series.pole_set)};
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic}) {
      const BlockHalo list = block_halo(d, half);
      halo_[index(half)] = {storage_.copy(list.send), storage_.copy(list.receive),
                            backend_->template make_exchange<Stored>(list.plan)};
      alone_ = alone_ && list.send.empty() && list.receive.empty();
    }
  }

  Array<Stored>& electric() override { return electric_; }
  Array<Stored>& magnetic() override { return magnetic_; }

  double unit() const override { return unit_; }
  double magnetic_unit() const override { return magnetic_unit_; }
  void set_unit(double unit) override {
    const auto factor = static_cast<Real>(unit_ / unit);
    unit_ = unit;
    magnetic_unit_ = unit * magnetic_scale_;
    for (Array<Stored>* const field : {&electric_, &magnetic_})
      backend_->for_each(static_cast<std::int64_t>(field->size()), ScaleReals<Stored>{field->write(), factor});
    for (OwnHalfStep& half : half_)
      for (Array<Real>& layer : half.layer)
        backend_->for_each(static_cast<std::int64_t>(layer.size()), ScaleReals<Real>{layer.write(), factor});
  }
  double largest() override {
    using Body = LargestOfRows<Stored>;
    if (largest_.size() == 0) largest_ = storage_.zeros<Real>(std::size_t{Body::lanes} * Body::groups);
    backend_->for_each(static_cast<std::int64_t>(largest_.size()),
                       Body{d_.layout, {electric_.read(), magnetic_.read()}, largest_.write()});
    double most = 0;
    for (const Real of_thread : largest_.part(0, largest_.size())) most = std::max(most, double(of_thread));
    return most;
  }

  void start_exchange(HalfStep half) override {
    if (alone_) return;
    Halo& h = halo_[index(half)];
    backend_->halo_waits();
    backend_->for_each(Queue::halo, static_cast<std::int64_t>(h.send.size()),
                       Gather<Stored>{source(half).read(), h.send.read(), h.exchange->send_view()});
    h.exchange->start();
  }
  void finish_exchange(HalfStep half) override {
    if (alone_) return;
    Halo& h = halo_[index(half)];
    h.exchange->finish();
    if (h.receive.size() > 0)
      backend_->for_each(Queue::halo, static_cast<std::int64_t>(h.receive.size()),
                         Scatter<Stored>{source(half).write(), h.receive.read(), h.exchange->receive_buffer()});
  }
  void refresh_ghosts(HalfStep half) override {
    if (alone_) return;
    start_exchange(half);
    finish_exchange(half);
    backend_->main_waits();
  }
  // Without neighbours a half step is the same work each time: a device replays it in one call of the host.
  void update_interior(HalfStep half) override {
    margins_are_current_ = false;
    const HalfStepView<Stored> v = view(half);
    if (alone_) backend_->repeat(half_[index(half)].recording[parity_], [&] { update_side_by_side(half, v); });
    else update(half, v, false, Queue::main);
  }
  void update_next_to_halo(HalfStep half) override {
    if (alone_) return;
    update(half, view(half), true, Queue::halo);
    backend_->main_waits();
  }
  void update_series() override {
    const auto n = static_cast<std::int64_t>(series_.index.size());
    if (n == 0) return;
    if constexpr (!is_compressed<Stored>)
      backend_->for_each(n, UpdateSeries<Real>{view(HalfStep::electric), series_view(), electric_.write()});
  }

  // H at a place reads E there and at higher indices, E reads H there and at lower ones: plane by plane upwards, E
  // may follow H at once. A thread's last H plane comes before all else, since the thread above begins with E on it.
  bool has_one_pass() const override { return Backend::one_pass && d_.axes == 3; }
  void update_interior_once(const std::vector<const SourceTerm*>& magnetic, double time) override {
    if constexpr (Backend::one_pass) {
      const HalfStepView<Stored> views[2] = {view(HalfStep::electric), view(HalfStep::magnetic)};
      const Range rows{0, d_.layout.cells[1]};
      backend_->sweep(
          d_.layout.cells[2],
          [&](int k) {
            update_plane(HalfStep::magnetic, views[1], k, rows, false);
            for (const SourceTerm* s : magnetic) {
              const auto& term = static_cast<const SourceTermOn<Stored, Backend>&>(*s);
              const AddSourceTerm<Stored> body = term.body(time);
              for (std::int64_t i = term.order().first_of(k); i < term.order().first_of(k + 1); ++i) body(i);
            }
          },
          [&](int k) { update_plane(HalfStep::electric, views[0], k, rows, false); });
    }
  }
  int most_steps_of_sweep(std::string& why) const override {
    if constexpr (Backend::one_pass) return backend_->most_steps_of_sweep(bytes_of_step(), why);
    why = "the device advances half step by half step";
    return 1;
  }
  void sweep(const StepTerms& terms, std::int64_t first_step, int steps) override {
    if constexpr (Backend::one_pass) {
      if (!sweep_) sweep_.emplace(d_, *backend_, d_.series.index);
      const HalfStepView<Stored> views[2] = {view(HalfStep::electric), view(HalfStep::magnetic)};
      const auto series = [&] {
        if constexpr (is_compressed<Stored>) return [](std::int64_t) {};  // no poles
        else return UpdateSeries<Real>{views[0], series_view(), electric_.write()};
      }();
      sweep_->run(
          backend_->sweep_of(d_.block, steps, bytes_of_step()), terms, first_step,
          [&](HalfStep half, int k, const Range& rows) {
            update_plane(half, views[index(half)], k, rows, false);
            update_plane(half, views[index(half)], k, rows, true);
          },
          series,
          [&](HalfStep half) {
            start_exchange(half);
            finish_exchange(half);
          });
    }
  }

  void start_plane_passes(PlaneFields fields, const std::vector<PlaneSource>& sources) override {
    passes_ = std::make_unique<PlanePass<Real, Backend>>(d_, fields, sources, *backend_);
  }
  void plane_pass(std::int64_t first_step, int steps) override {
    if constexpr (!is_compressed<Stored>) passes_->run(first_step, steps, electric_, magnetic_);
  }
  double plane_energy(std::int64_t first_step) override {
    double energy = 0;
    if constexpr (!is_compressed<Stored>) {
      passes_->keep_work();
      passes_->run(first_step, 1, electric_, magnetic_);
      energy = energy_of(passes_->old_electric(), passes_->old_magnetic(), StoredMagnetic<Stored>{magnetic_.read()});
      passes_->take_back(electric_, magnetic_);
    }
    return energy;
  }
  double plane_work() const override { return passes_->work(); }
  double plane_gross_work() const override { return passes_->gross_work(); }
  bool has_plane_passes() const override { return passes_ != nullptr; }

  std::string start_volume_passes(const std::vector<std::pair<HalfStep, const SourceTerm*>>& sources,
                                  [[maybe_unused]] double bytes_to_leave,
                                  [[maybe_unused]] const parallel::Communicator& comm,
                                  [[maybe_unused]] Timers& timers) override {
    if constexpr (requires { Backend::template has_volume_passes<Stored>; }) {
      if constexpr (!Backend::template has_volume_passes<Stored>) return "double precision";
      else {
        std::optional<HalfUnits> half;
        if (is_compressed<Stored>) {
          const auto stage = timers.measure("discretise/passes/units");
          if (const std::string why_not = why_no_half_arithmetic(d_, comm); !why_not.empty()) return why_not;
          half = units_of_half_arithmetic(d_, comm);
        }
        std::vector<PassSourceList<Real>> lists;
        for (const auto& [half, term] : sources)
          lists.push_back(static_cast<const SourceTermOn<Stored, Backend>&>(*term).pass_list(half));
        const VolumeMargins margins = exchange_margins(d_, lists, comm);
        auto [pass, why_not] =
            backend_->make_volume_pass(d_, lists, margins, half, pass_fields(), bytes_to_leave, timers);
        why_not = parallel::first_text(comm, why_not);
        if (!why_not.empty()) return why_not;
        volume_pass_ = std::move(pass);
        if (half) compute_in_half_precision(*half);
        if (d_.layout.below + d_.layout.above > 0) pass_halo_.emplace(d_, pass_fields(), *backend_);
        return "";
      }
    }
    return "the CPU";
  }
  int steps_of_volume_pass() const override { return volume_pass_ ? volume_pass_->steps() : 0; }
  void volume_pass(std::int64_t first_step) override {
    if (pass_halo_ && !margins_are_current_) {
      backend_->halo_waits();
      exchange_margins_of_fields();
    }
    volume_pass_->run(first_step, {unit_, magnetic_unit_}, pass_fields());
    parity_ = 1 - parity_;
    if (pass_halo_) exchange_margins_of_fields();  // beside the tiles that no other rank waits for
  }

  void add_persistent(const std::string& prefix, std::vector<solver::PersistentArray>& list) override {
    const auto add = [&](const std::string& name, const auto& items, Array<Real>& array,
                         std::vector<std::uint64_t> offsets) {
      list.push_back(solver::persistent(prefix + name, items, array, std::move(offsets)));
    };
    const auto cells = cell_items(d_);
    const auto reals = static_cast<std::uint64_t>(d_.layout.reals);
    const auto components = solver::offsets_from(0, reals, 3);
    if constexpr (is_compressed<Stored>) {
      list.push_back(persistent_decoded(prefix + "E", cells, electric_, unit_, components));
      list.push_back(persistent_decoded(prefix + "Z0 H", cells, magnetic_, magnetic_unit_, components));
    } else {
      add("E", cells, electric_, components);
      add("Z0 H", cells, magnetic_, components);
    }
    const std::size_t states = static_cast<std::size_t>(d_.pole_count + d_.resonant_count);
    add("currents of poles", pole_items(d_), currents_, solver::offsets_from(0, tile_cells(0), states));
    const auto shared = list_items(d_, prefix + "components of two media", d_.series.index);
    const auto n = static_cast<std::uint64_t>(d_.series.index.size());
    add("E in two media", shared, series_.value, solver::offsets_from(0, n, 2));
    add("currents of poles in two media", shared, series_.currents, solver::offsets_from(0, n, 2 * states));
    if (passes_) return passes_->add_persistent(prefix, list);
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
      for (int axis = 0; axis < d_.axes; ++axis) {
        const auto items = layer_items(d_, half, axis, false);
        for (int which = 0; which < 2; ++which) {
          const std::vector<std::uint64_t> offset{static_cast<std::uint64_t>(which) * cells_of_tile_plane};
          Array<Real>& layer = half_[index(half)].layer[axis];
          if (is_compressed<Stored> && half == HalfStep::electric)  // of differences of H
            list.push_back(
                persistent_decoded(prefix + layer_name(half, axis, which), items, layer, magnetic_scale_, offset));
          else add(layer_name(half, axis, which), items, layer, offset);
          list.back().may_be_absent = true;  // plane passes have those that are not zero
        }
      }
  }

  std::unique_ptr<SourceTerm> make_source_term(HalfStep half, const SourceTermList& list,
                                               const physics::WaveformShape& shape) override {
    return std::make_unique<SourceTermOn<Stored, Backend>>(d_, half, list, shape, *backend_, storage_, *this,
                                                           target(half), electric_);
  }
  std::unique_ptr<PortTerm> make_port(const std::vector<PortEdge>& edges, const physics::WaveformShape& shape,
                                      double amplitude) override {
    return std::make_unique<PortOn<Stored, Backend>>(d_, edges, shape, amplitude, *backend_, storage_, *this,
                                                     electric_);
  }
  std::unique_ptr<BoundaryCondition> make_boundary(const BoundaryList& list) override {
    return std::make_unique<BoundaryOn<Stored, Backend>>(list, *backend_, storage_, electric_);
  }
  std::unique_ptr<BlochPhase> make_bloch_phase(HalfStep half, const GhostPhases& list,
                                               Engine<Stored>& imaginary) override {
    return std::make_unique<BlochPhaseOn<Stored, Backend>>(
        list, *backend_, storage_, source(half),
        half == HalfStep::electric ? imaginary.magnetic() : imaginary.electric(), imaginary);
  }
  std::unique_ptr<Spectrum> make_spectrum(const SpectrumSamples& samples,
                                          const std::vector<double>& angular_frequencies) override {
    return std::make_unique<SpectrumOn<Stored, Backend>>(samples, angular_frequencies, d_.time_step, *backend_,
                                                         storage_, *this, electric_, magnetic_);
  }
  void accumulate_phasor(const Array<Stored>& u, double unit, double c, double s, Array<Real>& real,
                         Array<Real>& imag) override {
    backend_->for_each(static_cast<std::int64_t>(u.size()),
                       AddPhasor<Stored>{u.read(), static_cast<Real>(c * unit), static_cast<Real>(s * unit),
                                         real.write(), imag.write()});
  }

  std::vector<std::vector<Real>> gather(const std::vector<const Array<Real>*>& arrays,
                                        const std::vector<std::uint64_t>& index) override {
    const Array<std::uint64_t> at(index, memory());
    Array<Real> gathered(index.size(), memory());
    std::vector<std::vector<Real>> values;
    for (const Array<Real>* const array : arrays) {
      backend_->for_each(static_cast<std::int64_t>(index.size()),
                         Gather<Real>{array->read(), at.read(), gathered.write()});
      values.push_back(gathered.part(0, gathered.size()));
    }
    return values;
  }
  std::vector<Real> sample(HalfStep field, const std::vector<std::uint64_t>& index) override {
    const Array<std::uint64_t> at(index, memory());
    Array<Real> values(index.size(), memory());
    backend_->for_each(
        static_cast<std::int64_t>(index.size()),
        TakeField<Stored>{target(field).read(), at.read(),
                          static_cast<Real>(field == HalfStep::electric ? unit_ : magnetic_unit_), values.write()});
    return values.part(0, values.size());
  }

  void store_magnetic() override {
    if (stored_.size() == 0) {
      stored_ = storage_.zeros<Stored>(magnetic_.size());
      for (int a = 0; a < 3; ++a) stored_layer_[a] = storage_.zeros<Real>(half_[1].layer[a].size());
    }
    copy_reals(magnetic_, stored_);
    for (int a = 0; a < 3; ++a) copy_reals(half_[1].layer[a], stored_layer_[a]);
  }
  void restore_magnetic() override {
    copy_reals(stored_, magnetic_);
    for (int a = 0; a < 3; ++a) copy_reals(stored_layer_[a], half_[1].layer[a]);
  }
  double energy() override { return energy_of(electric_, stored_, StoredMagnetic<Stored>{magnetic_.read()}); }
  double energy_ahead() override {
    const HalfStepView<Stored> v = view(HalfStep::magnetic);
    if constexpr (is_compressed<Stored> && requires { Backend::half_arithmetic; })
      if (half_arithmetic_) return energy_of(electric_, magnetic_, AdvancedMagnetic<Stored, HalfNumber>{v});
    return energy_of(electric_, magnetic_, AdvancedMagnetic<Stored, Real>{v});
  }
  std::uint64_t hash() override {
    HashFields<Stored> body{d_.layout,
                            {},
                            {},
                            electric_.read(),
                            magnetic_.read(),
                            static_cast<Real>(unit_),
                            static_cast<Real>(magnetic_unit_),
                            nullptr};
    for (std::size_t a = 0; a < 3; ++a) body.first[a] = d_.block.first[a], body.global_cells[a] = d_.global_cells[a];
    Array<std::uint64_t> sums(static_cast<std::size_t>(body.count()), memory());
    body.sums = sums.write();
    backend_->for_each(body.count(), body);
    std::uint64_t total = 0;
    for (const std::uint64_t sum : sums.part(0, sums.size())) total += sum;
    return total;
  }

  parallel::Memory& memory() override { return backend_->memory(); }
  double wait_seconds() const override {
    return halo_[0].exchange->wait_seconds() + halo_[1].exchange->wait_seconds() +
           (pass_halo_ ? pass_halo_->wait_seconds() : 0);
  }
  double memory_bytes() const override {
    return storage_.bytes() + (passes_ ? passes_->bytes() : 0) + (volume_pass_ ? volume_pass_->bytes() : 0);
  }
  double copy_bandwidth() override { return backend_->copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override {
    return backend_->template occupancy<UpdateField<Stored, Difference::backward, false, false, false>>();
  }
  void wait() override { backend_->wait(); }

 private:
  using OwnHalfStep = HalfStepOn<Real, typename Backend::Recording>;
  using Batch = typename OwnHalfStep::Batch;
  struct Halo {
    Array<std::uint64_t> send, receive;
    std::unique_ptr<typename Backend::template Exchange<Stored>> exchange;
  };
  struct Series {  // SeriesView
    Array<std::uint64_t> index;
    Array<MediumClass<Real>> medium;
    Array<Real> share, value, currents;
    Array<int> pole_set;
  };

  PassFields<Stored> pass_fields() {
    PassFields<Stored> fields{{&electric_, &magnetic_}, {}};
    for (int f = 0; f < 2; ++f)
      for (int a = 0; a < 3; ++a) fields.psi[f][a] = &half_[f].layer[a];
    return fields;
  }
  void exchange_margins_of_fields() {
    pass_halo_->exchange(pass_fields());
    backend_->main_waits();
    margins_are_current_ = true;
  }
  static int index(HalfStep half) { return half == HalfStep::electric ? 0 : 1; }
  Array<Stored>& source(HalfStep half) { return half == HalfStep::electric ? magnetic_ : electric_; }
  Array<Stored>& target(HalfStep half) { return half == HalfStep::electric ? electric_ : magnetic_; }

  // From now on: passes, and half steps between them.
  void compute_in_half_precision(const HalfUnits& units) {
    half_arithmetic_ = true;
    length_ = units.length, magnetic_scale_ = units.magnetic_scale;
    half_[0].classes = storage_.copy(in_scale(d_.electric.classes, magnetic_scale_));
    half_[1].classes = storage_.copy(in_scale(d_.magnetic.classes, 1 / magnetic_scale_));
    const auto factor = static_cast<Real>(1 / magnetic_scale_);
    backend_->for_each(static_cast<std::int64_t>(magnetic_.size()), ScaleReals<Stored>{magnetic_.write(), factor});
    for (Array<Real>& layer : half_[0].layer)
      backend_->for_each(static_cast<std::int64_t>(layer.size()), ScaleReals<Real>{layer.write(), factor});
    magnetic_unit_ = unit_ * magnetic_scale_;
  }
  HalfStepView<Stored> view(HalfStep half) {
    OwnHalfStep& h = half_[index(half)];
    HalfStepView<Stored> v{};
    v.layout = d_.layout;
    for (int a = 0; a < 3; ++a) {
      v.source[a] = source(half).read() + a * d_.layout.reals;
      v.target[a] = target(half).write() + a * d_.layout.reals;
      v.axis[a] = {h.axis[a][0].read(), h.axis[a][1].read(), h.axis[a][2].read()};
      for (const int place : {0, 1})
        v.damping[a][place] = half == HalfStep::electric ? h.damping[a][place].read() : nullptr;
      v.layer[a] = h.layer[a].write();
    }
    v.classes = h.classes.read();
    v.class_of = h.class_of.read();
    v.poles_of_class = poles_of_class_.read();
    v.poles = poles_.read();
    v.currents = currents_.write();
    v.pole_count = d_.pole_count;
    v.resonant_count = d_.resonant_count;
    v.critical_count = d_.critical_count;
    v.length = static_cast<Real>(length_), v.per_length = 1 / v.length;
    return v;
  }

  SeriesView<Real> series_view() {
    return {static_cast<std::int64_t>(series_.index.size()),
            series_.index.read(),
            series_.medium.read(),
            series_.share.read(),
            series_.pole_set.read(),
            series_.value.write(),
            series_.currents.write()};
  }

  // run(body) launches a kernel's body on tiles of the batch.
  template <class Run>
  void launch(HalfStep half, const Batch& b, const HalfStepView<Stored>& v, const Run& run) {
    const auto of_kind = [&](auto layered, auto mixed) {
      constexpr bool l = decltype(layered)::value, m = decltype(mixed)::value;
      if constexpr (is_compressed<Stored> && requires { Backend::half_arithmetic; })
        if (half_arithmetic_) {
          if (half == HalfStep::magnetic)
            return run(UpdateField<Stored, Difference::forward, l, m, false, HalfNumber>{v});
          return run(UpdateField<Stored, Difference::backward, l, m, false, HalfNumber>{v});
        }
      if (half == HalfStep::magnetic) return run(UpdateField<Stored, Difference::forward, l, m, false>{v});
      if constexpr (!is_compressed<Stored>) {  // those have no poles
        if (b.dispersive && fusion_ == KernelFusion::split) {
          run(UpdatePoles<Real, m>{v, current_sums_.write()});
          return run(UpdateElectricWithSums<Real, l, m>{v, current_sums_.write()});
        }
        if (b.dispersive) return run(UpdateField<Real, Difference::backward, l, m, true>{v});
      }
      run(UpdateField<Stored, Difference::backward, l, m, false>{v});
    };
    if (b.layered && b.mixed) of_kind(std::true_type{}, std::true_type{});
    else if (b.layered) of_kind(std::true_type{}, std::false_type{});
    else if (b.mixed) of_kind(std::false_type{}, std::true_type{});
    else of_kind(std::false_type{}, std::false_type{});
  }
  // Rows of plane k, of tiles next to a halo or of the others, on this thread.
  void update_plane(HalfStep half, const HalfStepView<Stored>& v, int k, const Range& rows, bool next_to_halo) {
    for (const Batch& b : half_[index(half)].batches) {
      const std::int64_t first = b.row[OwnHalfStep::row_of_tiles(d_.layout, rows.first, k)],
                         end = b.row[OwnHalfStep::row_of_tiles(d_.layout, rows.end - 1, k) + 1];
      if (b.next_to_halo == next_to_halo && first < end)
        launch(half, b, v, [&](const auto& body) {
          backend_->for_plane(b.tiles.read() + first, end - first, k % tile_cells(2), rows, body);
        });
    }
  }
  void update(HalfStep half, const Batch& b, const HalfStepView<Stored>& v, Queue queue) {
    launch(half, b, v, [&](const auto& body) {
      backend_->for_tiles(queue, b.tiles.read(), static_cast<std::int64_t>(b.tiles.size()), body);
    });
  }
  void update(HalfStep half, const HalfStepView<Stored>& v, bool next_to_halo, Queue queue) {
    for (const Batch& b : half_[index(half)].batches)
      if (b.next_to_halo == next_to_halo) update(half, b, v, queue);
  }
  // The largest batch in the main queue, small ones beside it: each alone would leave a GPU half idle at its end.
  void update_side_by_side(HalfStep half, const HalfStepView<Stored>& v) {
    const std::vector<Batch>& batches = half_[index(half)].batches;
    const auto smaller = [](const Batch& a, const Batch& b) { return a.tiles.size() < b.tiles.size(); };
    const auto largest = std::max_element(batches.begin(), batches.end(), smaller);
    if (batches.size() > 1) backend_->wait_for(Queue::side, Queue::main);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch)
      if (batch != largest) update(half, *batch, v, Queue::side);
    if (largest != batches.end()) update(half, *largest, v, Queue::main);
    if (batches.size() > 1) backend_->wait_for(Queue::main, Queue::side);
  }
  template <class T>
  void copy_reals(const Array<T>& from, Array<T>& to) {
    backend_->for_each(static_cast<std::int64_t>(from.size()), CopyReals<T>{from.read(), to.write()});
  }
  // Bytes of the arrays that a step reads and writes.
  double bytes_of_step() const {
    double bytes = electric_.bytes() + magnetic_.bytes() + currents_.bytes();
    for (const OwnHalfStep& half : half_) {
      bytes += half.class_of.bytes();
      for (const auto& layer : half.layer) bytes += layer.bytes();
    }
    return bytes;
  }
  template <class Magnetic>
  double energy_of(const Array<Stored>& electric, const Array<Stored>& magnetic_before,
                   const Magnetic& magnetic_after) {
    if (!energy_) energy_.emplace(d_, *backend_, storage_);
    return unit_ * unit_ *
           (*energy_)(view(HalfStep::electric), view(HalfStep::magnetic), electric.read(), magnetic_before.read(),
                      magnetic_after, magnetic_scale_);
  }

  const Discretisation<Real>& d_;
  KernelFusion fusion_;
  std::unique_ptr<Backend> backend_;
  parallel::Storage storage_;
  Array<Stored> electric_, magnetic_;    // [3][reals] in units of unit_ and magnetic_unit_
  double unit_ = 1;                      // V/m, of E
  double magnetic_scale_ = 1;            // H's unit over that of E
  double magnetic_unit_ = 1;             // V/m, of H
  OwnHalfStep half_[2];                  // electric, magnetic
  Array<Real> currents_, current_sums_;  // poles: HalfStepView; [slot][3][cells_of_tile] for split kernels
  Array<PoleCoefficients<Real>> poles_;
  Array<int> poles_of_class_;
  Series series_;
  Halo halo_[2];
  bool alone_ = true;                                   // no other block, nor the other end of this one, gives ghosts
  Array<Stored> stored_;                                // H, for the energy
  Array<Real> stored_layer_[3];                         // and its layers' sums
  Array<Real> largest_;                                 // LargestOfRows; made on first use
  std::optional<EnergySum<Stored, Backend>> energy_;    // made on first use
  std::unique_ptr<PlanePass<Real, Backend>> passes_;    // null but for plane grids
  std::optional<SweepOn<Stored, Backend>> sweep_;       // made on first use
  std::unique_ptr<VolumePass<Stored>> volume_pass_;     // null where half steps alone serve
  std::optional<PassHalo<Stored, Backend>> pass_halo_;  // where there are planes of neighbours
  bool margins_are_current_ = false;                    // those planes are those of the present fields
  bool half_arithmetic_ = false;                        // fields are computed in half precision, not only stored
  double length_ = 1;                                   // m: HalfStepView
  int parity_ = 0;                                      // of the passes so far: which of two sets the arrays are
};

}  // namespace dgtd::fdtd
