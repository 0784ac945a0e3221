#pragma once
// The executor, written once over what differs: Elements, the kernels of elements on a backend (CpuElements,
// CudaElements), with
//   Backend, Elements(d, backend)
//   update(queue, traits, arrays, source, target, batch)   a half step of a batch by the kernels of these traits
//   most_in_one_launch(), update_joint(queue, arrays, source, target, parts)   several batches at once, of at most so
//                                                          many blocks together
//   most_parts(), can_exchange(wanted), add_exchange(plan), update_joint(arrays, traces, source, target, parts),
//   end_exchanges()                                        whether halos can be exchanged inside of a launch of at most
//                                                          so many batches, wherever all ranks want that (collective);
//                                                          a halo's number (collective); the launch, in the main queue;
//                                                          the end of work that may be replayed
//   update_level(queue, curved, arrays, list, blocks, source, fields)   a half step inside a level, of curved elements
//   or
//                                                          of others
//   most_in_sequence(), update_sequence(queue, work)       several of them at once, each of at most so many blocks
//   can_take_steps(permitted, currents, expected), take_steps(...), forget_steps()   Executor::take_steps, where all
//                                                          ranks permit it; the time step has changed
//   add_energy(curved, arrays, list, blocks, fields)       of listed blocks; arrays: of the half step of H
//   add_boundary_energy(arrays, batch, fields)             of a batch with faces that may absorb
//   add_storage(arrays, batch)                             energy of the poles of a dispersive batch
//   take_energy()                                          J, of what was added since the last call; waits
//   products(metric, curved, u, v)                           [owned slots]
//   add_product(of, metric, curved, u, v, blocks, sum)     of Executor::add_product
//   add_work(n, term, factor, last, work)                  of Executor::add_work
//   memory_bytes(), occupancy()
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>

#include "block_lists.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/backend.hpp"
#include "element_data.hpp"
#include "element_work.hpp"
#include "trace_messages.hpp"

namespace dgtd::dg {

using parallel::Array, parallel::Queue;

template <class Real, class Elements>
class ExecutorOn final : public Executor<Real> {
  using Backend = typename Elements::Backend;
  using Traces = TraceMessages<Real, Backend>;
  using Exchange = typename Traces::Exchange;
  using Operands = HalfStepOperands<Real>;
  static_assert(parallel::Backend<Backend>);

 public:
  ExecutorOn(const Discretisation<Real>& d, KernelFusion fusion, std::shared_ptr<Backend> backend)
      : d_(d),
        backend_(std::move(backend)),
        data_(d, fusion, memory()),
        traces_(d, *backend_),
        faces_(static_cast<std::int64_t>(exchanged_faces(d.mesh))),
        elements_(d, *backend_) {
    std::vector<std::uint32_t> all(exchanged_faces(d.mesh));
    std::iota(all.begin(), all.end(), 0u);
    halo_code_ = traces_.codes(all);
    for (Half& half : half_) half.traces = traces_.make_exchange(all);
    make_levels();
    exchanges_inside_ = elements_.can_exchange(faces_ == 0 || can_exchange_inside());
    for (Half& half : half_)
      if (exchanges_inside_) half.exchange = elements_.add_exchange(halo_plan(d, all));
    for (std::size_t l = 1; exchanges_inside_ && l < levels_.size(); ++l) add_level_exchange(l);
  }

  parallel::Memory& memory() override { return backend_->memory(); }
  double memory_bytes() const override {
    double bytes = data_.bytes() + traces_.bytes() + elements_.memory_bytes();
    for (const auto& level : levels_)
      bytes += level.neighbour.bytes() + level.halo_code.bytes() + level.place.bytes() + level.own.bytes() +
               level.reach.bytes();
    bytes += listed_.bytes() + without_layers_.bytes() + without_states_.bytes();
    return bytes;
  }

  void load_half_steps() override {
    backend_->wait();
    data_.load_half_steps();
    for (Half& half : half_) half.recording.forget();
    unfiltered_recording_.forget();
    for (auto& recording : step_recordings_) recording.forget();
    elements_.forget_steps();
  }

  // A device replays the half step, without the host, where no stream exchanges halos: a graph would end the overlap of
  // those messages with the half step before, and was slower (docs/performance.md).
  void update(HalfStep h, Field<Real>& source, Field<Real>& target, const Batches& batches) override {
    Half& half = of(h);
    const Call call{source.write(), target.write(), &batches};
    const auto work = [&] {
      if (has_levels()) {
        LevelFields<Real> fields;
        fields.target = call.target;
        fields.has_Ca = true;
        return update_all_levels(h, data_.operands(h), call.source, fields, batches);
      }
      if (exchanges_inside()) return update_with_exchange(h, call);
      bring_target_traces(h, call.target);
      if (!waits_for_traces(d_)) {
        all_batches_ = batches.interior;
        all_batches_.insert(all_batches_.end(), batches.halo.begin(), batches.halo.end());
        return update_interior(h, call, all_batches_);
      }
      start_traces(half, call.source);
      update_interior(h, call, batches.interior);
      finish_traces(half, call.source);
      update_batches(late(), h, call, batches.halo);
      if (faces_ > 0) backend_->main_waits();
    };
    if (exchanges_in_streams() || inside_work_) return work();
    if (!(call == half.recorded)) half.recording.forget();
    half.recorded = call;
    repeat(half.recording, work);
  }

  // Blocks that may absorb are updated in place, so `own` is copied there first, with the traces of external fields in
  // the ghost slots; the others read old values from `own` and write new ones to `result`.
  void apply(HalfStep h, Field<Real>& source, const Field<Real>& own, Field<Real>& result,
             const OperatorTerms& terms) override {
    const Operands operands = data_.operator_operands(h, terms, [&] { backend_->wait(); });
    const auto copy = [&](std::int64_t first_block, std::int64_t blocks) {
      const std::size_t reals = d_.layout.reals_per_block(), at = std::size_t(first_block) * reals;
      backend_->for_each(Queue::main, blocks * static_cast<std::int64_t>(reals),
                         parallel::CopyReals<Real>{own.read() + at, result.write() + at});
    };
    for (const auto* list : {&d_.batches.interior, &d_.batches.halo})
      for (const Batch& batch : *list)
        if (!in_lists(batch)) copy(batch.first_block, batch.blocks);
    copy(d_.owned_blocks, d_.blocks - d_.owned_blocks);
    traces_.main_wrote_elements();
    bring_target_traces(h, result.write());
    LevelFields<Real> fields;
    fields.base = own.read(), fields.base_blocks = d_.owned_blocks;
    fields.target = result.write();
    fields.has_Ca = true;
    do_once([&] { update_all_levels(h, operands, source.write(), fields, d_.batches); });
  }

  void update_unfiltered(Field<Real>& electric, Field<Real>& unfiltered, Field<Real>& magnetic,
                         const std::function<void()>& filter) override {
    Real* const source = electric.write();
    const LevelFields<Real> fields = unfiltered_fields(unfiltered.write(), magnetic.write());
    const auto work = [&] {
      update_all_levels(HalfStep::magnetic, data_.operands(HalfStep::magnetic), source, fields, d_.batches);
      filter();
    };
    if (exchanges_in_streams() || inside_work_) return work();
    repeat(unfiltered_recording_, work);
  }

  // As update().
  void repeat_steps(int count, const std::function<void(int)>& step) override {
    const auto all = [&] {
      for (int i = 0; i < count; ++i) step(i);
    };
    if (exchanges_in_streams()) return all();
    assert(std::has_single_bit(unsigned(count)) && count <= most_steps_at_once);
    repeat(step_recordings_.at(std::size_t(std::countr_zero(unsigned(count)))), all);
  }

  bool can_take_steps(const std::optional<std::vector<StepCurrent>>& currents, std::int64_t expected) override {
    const auto joins = [](const Batch& b) {
      return joins_others(traits_of_kernel(b.traits, HalfStepWork::layers_and_states));
    };
    const auto& [interior, halo] = d_.batches;
    const bool permitted =
        !data_.is_split() && d_.mesh.halo_faces.size() == exchanged_faces(d_.mesh) && !has_levels() && !has_layers() &&
        d_.states.empty() && d_.bloch_faces.empty() && d_.curved_blocks == 0 && d_.upwind == 0 &&
        std::all_of(interior.begin(), interior.end(), joins) && std::all_of(halo.begin(), halo.end(), joins);
    return elements_.can_take_steps(permitted, currents, expected);
  }
  void take_steps(int steps, Field<Real>& electric, Field<Real>& magnetic, const std::vector<StepCurrent>& currents,
                  const std::vector<double>& numbers) override {
    elements_.take_steps(steps, electric.write(), magnetic.write(), currents, numbers);
    traces_.main_wrote_elements();
  }

  // Successive half steps of few blocks are one piece of work, on a rank that exchanges no halo in them.
  void update_levels(const std::vector<LevelStep<Real>>& steps) override {
    const auto is_small = [&](const LevelStep<Real>& step) {
      const BlockLists& lists = lists_of(step);
      return levels_[step.level].halo_code.size() == 0 && !lists.has_curved() &&
             static_cast<std::int64_t>(lists.interior.size()) <= elements_.most_in_sequence();
    };
    do_once([&] {
      for (auto step = steps.begin(); step != steps.end();) {
        const auto last = std::find_if_not(step, steps.end(), is_small);
        if (last - step < 2) {
          update_level(*step++);
          continue;
        }
        std::vector<LevelWork<Real>> sequence;
        for (; step != last; ++step) {
          const Array<LevelBlock>& list = lists_of(*step).interior;
          sequence.push_back({level_arrays(*step), list.read(), static_cast<std::int64_t>(list.size()),
                              step->source->write(), step->fields});
        }
        elements_.update_sequence(Queue::main, sequence);
        traces_.main_wrote_elements();
      }
    });
  }

  double energy(Field<Real>& electric, Field<Real>* unfiltered, Field<Real>& magnetic,
                const Batches& batches) override {
    constexpr HalfStep h = HalfStep::magnetic;
    start_traces(of(h), electric.write());
    finish_traces(of(h), electric.write());
    backend_->main_waits();
    bring_target_traces(h, magnetic.write());
    traces_.main_wrote_elements();
    // 1/2 H_old . u_new, where H is the filtered field.
    const EnergyFields<Real> fields{electric.read(), magnetic.write(),
                                    unfiltered != nullptr ? unfiltered->read() : nullptr,
                                    unfiltered != nullptr ? d_.reach_of_level(1) : 0};
    for (const bool curved : {false, true})
      for (const auto* list : lists_of(listed_, curved))
        elements_.add_energy(curved, arrays(h, data_.operands(h), {}), list->read(),
                             static_cast<std::int64_t>(list->size()), fields);
    for (const auto* list : {&batches.interior, &batches.halo})
      for (const Batch& batch : *list)
        if (!in_lists(batch) && !is_cpml(batch.traits.medium))
          elements_.add_boundary_energy(arrays(h, data_.operands(h), batch), batch, fields);
    for (const auto* list : {&batches.interior, &batches.halo})
      for (const Batch& batch : *list)
        if (has_poles(batch.traits.medium) && !is_cpml(batch.traits.medium))
          elements_.add_storage(arrays(HalfStep::electric, data_.operands(HalfStep::electric), batch), batch);
    return elements_.take_energy();
  }

  std::vector<double> element_products(const Field<Real>& u, const Field<Real>& v) override {
    return elements_.products(data_.metric(), data_.curved_arrays(), u.read(), v.read());
  }

  void add_product(HalfStep of, const Field<Real>& u, const Field<Real>& v, std::int64_t blocks,
                   parallel::ReproducibleSum& sum) override {
    elements_.add_product(of, data_.metric(), data_.curved_arrays(), u.read(), v.read(), blocks, sum);
  }

  std::vector<Field<Real>>& states() override { return data_.states(); }

  void for_each(std::int64_t n, const Loop<Real>& loop) override {
    std::visit(
        [&]<class Body>(const Body& body) {
          if constexpr (writes_elements<Body>) traces_.main_wrote_elements();
          backend_->for_each(Queue::main, n, body);
        },
        loop);
  }
  void add_work(std::int64_t n, const WeightedCoefficient<Real>& term, const LoopNumber& factor, double* last,
                double* work) override {
    elements_.add_work(n, term, factor, last, work);
  }

  double halo_wait_seconds() const override {
    double seconds = half_[0].traces->wait_seconds() + half_[1].traces->wait_seconds();
    for (const Level& level : levels_)
      if (level.traces) seconds += level.traces->wait_seconds();
    return seconds;
  }
  double copy_bandwidth() override { return backend_->copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override { return elements_.occupancy(); }
  void wait() override { backend_->wait(); }

 private:
  struct Call {
    Real *source = nullptr, *target = nullptr;
    const Batches* batches = nullptr;
    bool operator==(const Call&) const = default;
  };
  struct Half {
    std::unique_ptr<Exchange> traces;  // of the source
    int exchange = 0;                  // the same inside of a launch, where exchanges_inside_
    typename Backend::Recording recording;
    Call recorded;
  };

  Half& of(HalfStep half) { return half_[half == HalfStep::electric ? 0 : 1]; }
  const Half& half_of(HalfStep half) const { return half_[half == HalfStep::electric ? 0 : 1]; }
  void update_batch(Queue queue, HalfStep h, const Operands& operands, const Real* source, Real* target,
                    const Batch& batch) {
    elements_.update(queue, traits_of_kernel(batch.traits, operands.work), arrays(h, operands, batch), source, target,
                     batch);
  }
  bool fits_one_launch(const std::vector<Batch>& batches) const {
    std::int64_t blocks = 0;
    for (const Batch& batch : batches) blocks += batch.blocks;
    return blocks <= elements_.most_in_one_launch();
  }
  // One after the other, or those that one launch can contain at once: they are put in joint_. Elements with boundary
  // faces take the longest and begin first.
  void join_batches(Queue queue, HalfStep h, const Call& call, const std::vector<Batch>& batches, bool fits) {
    const Operands operands = data_.operands(h);
    joint_.clear();
    for (const Batch& batch : batches) {
      const KernelTraits kernel = traits_of_kernel(batch.traits, operands.work);
      if (fits && joins_others(kernel)) joint_.insert(kernel.boundary ? joint_.begin() : joint_.end(), {kernel, batch});
      else update_batch(queue, h, operands, call.source, call.target, batch);
    }
  }
  void update_batches(Queue queue, HalfStep h, const Call& call, const std::vector<Batch>& batches) {
    const Operands operands = data_.operands(h);
    join_batches(queue, h, call, batches, !data_.is_split() && fits_one_launch(batches));
    if (joint_.size() == 1) update_batch(queue, h, operands, call.source, call.target, joint_[0].batch);
    else if (!joint_.empty()) elements_.update_joint(queue, arrays(h, operands, {}), call.source, call.target, joint_);
  }
  // A half step and its exchange in one launch.
  void update_with_exchange(HalfStep h, const Call& call) {
    const Operands operands = data_.operands(h);
    join_batches(Queue::main, h, call, call.batches->interior, true);
    for (const Batch& batch : call.batches->halo)
      joint_.push_back({traits_of_kernel(batch.traits, operands.work), batch, true});
    elements_.update_joint(arrays(h, operands, {}), exchange_of(h), call.source, call.target, joint_);
  }
  TraceExchange exchange_of(HalfStep h) const {
    return traces_.inside(half_of(h).exchange, halo_code_, d_.first_halo_slot, faces_);
  }
  TraceExchange exchange_of(const LevelStep<Real>& step) const {
    const Level& level = levels_[step.level];
    if (step.half == HalfStep::electric)
      return traces_.inside(level.exchange, level.halo_code, d_.first_halo_slot, faces_, level.face_of_ghost.read());
    return traces_.inside(level.exchange, level.halo_code, d_.levels[step.level].first_halo_slot,
                          static_cast<std::int64_t>(level.halo_code.size()));
  }
  // Whether the launches that receive can contain all batches next to other ranks that no list contains, and that of
  // global steps those of the interior that join others.
  bool can_exchange_inside() const {
    if (data_.is_split() || !d_.bloch_faces.empty() || d_.curved_blocks > 0 || d_.upwind > 0) return false;
    for (const auto work : {HalfStepWork::layers, HalfStepWork::layers_and_states}) {
      const auto joins = [&](const Batch& batch) { return joins_others(traits_of_kernel(batch.traits, work)); };
      const auto is_part = [&](const Batch& batch) {
        return !has_levels() || !in_lists(batch) || d_.has_own_kernel(batch.traits, work);
      };
      const auto& [interior, halo] = d_.batches;
      if (std::any_of(halo.begin(), halo.end(), [&](const Batch& b) { return is_part(b) && !joins(b); })) return false;
      const auto parts = std::count_if(halo.begin(), halo.end(), is_part) +
                         (has_levels() ? 0 : std::count_if(interior.begin(), interior.end(), joins));
      if (parts > elements_.most_parts()) return false;
    }
    return true;
  }
  bool exchanges_inside() const { return faces_ > 0 && exchanges_inside_; }
  bool exchanges_in_streams() const { return faces_ > 0 && !exchanges_inside_; }
  // Work that is recorded, and work that is not, unless it is a part of such work.
  template <class Work>
  void repeat(typename Backend::Recording& recording, const Work& work) {
    backend_->repeat(recording, [&] { do_once(work); });
    if (exchanges_inside()) traces_.main_wrote_elements();
  }
  template <class Work>
  void do_once(const Work& work) {
    if (inside_work_) return work();
    inside_work_ = true;
    work();
    inside_work_ = false;
    if (!exchanges_inside()) return;
    elements_.end_exchanges();
    traces_.main_wrote_elements();
  }
  ElementArrays<Real> arrays(HalfStep h, const Operands& operands, const Batch& batch) {
    return data_.arrays(h, operands, batch);
  }
  ElementArrays<Real> level_arrays(const LevelStep<Real>& step) {
    return data_.level_arrays(step.half, levels_[step.level].neighbour);
  }

  bool has_levels() const { return d_.time_levels.finest > 0; }
  bool has_layers() const { return d_.layer_blocks > 0 || d_.section_blocks > 0; }  // of either type
  bool in_levels(const Batch& batch) const { return batch.first_block < d_.reach_of_level(1); }
  // Whether the blocks of a batch are in listed_: all but those that may absorb.
  bool in_lists(const Batch& batch) const { return in_levels(batch) || !batch.traits.boundary; }
  // Whether a half step updates a batch by the lists.
  bool is_listed(const Batch& batch, const Operands& operands) const {
    return in_lists(batch) && !d_.has_own_kernel(batch.traits, operands.work);
  }

  // A half step of all elements, by lists of blocks that follow the curve through all levels, so that neighbours of
  // other levels are still in the cache.
  void update_all_levels(HalfStep h, const Operands& operands, Real* source, const LevelFields<Real>& fields,
                         const Batches& batches) {
    Half& half = of(h);
    const auto update_others = [&](Queue queue, const std::vector<Batch>& list) {
      for (const Batch& batch : list)
        if (!is_listed(batch, operands)) update_batch(queue, h, operands, source, fields.target, batch);
    };
    const BlockLists& lists = lists_of(operands);
    if (!exchanges_inside()) start_traces(half, source);
    backend_->wait_for(Queue::side, Queue::main);
    update_others(Queue::side, batches.interior);
    if (exchanges_inside()) {
      TraceExchange traces = exchange_of(h);
      elements_.update_level(arrays(h, operands, {}), traces, lists, source, fields);
      traces.is_present = true;
      joint_.clear();
      for (const Batch& batch : batches.halo)
        if (!is_listed(batch, operands)) joint_.push_back({traits_of_kernel(batch.traits, operands.work), batch, true});
      if (!joint_.empty()) elements_.update_joint(arrays(h, operands, {}), traces, source, fields.target, joint_);
      return backend_->wait_for(Queue::main, Queue::side);
    }
    update_interior_blocks(arrays(h, operands, {}), lists, source, fields);
    backend_->wait_for(Queue::main, Queue::side);
    finish_traces(half, source);
    update_others(late(), batches.halo);
    update_halo_blocks(late(), arrays(h, operands, {}), lists, source, fields);
    if (faces_ > 0) backend_->main_waits();
  }
  // As update(): the traces are those of elements that the halo queue has updated itself, so that their exchange begins
  // while the main queue still updates the interior of the half step before.
  void update_level(const LevelStep<Real>& step) {
    const LevelBlocks& blocks = d_.levels[step.level];
    Level& level = levels_[step.level];
    Real* const source = step.source->write();
    const bool is_electric = step.half == HalfStep::electric;
    const auto faces = static_cast<std::int64_t>(level.halo_code.size());
    const ElementArrays<Real> arrays = level_arrays(step);
    const BlockLists& lists = lists_of(step);
    const LevelFields<Real>& fields = step.fields;
    if (faces == 0) {
      traces_.main_wrote_elements();
      return update_interior_blocks(arrays, lists, source, fields);
    }
    if (exchanges_inside()) return elements_.update_level(arrays, exchange_of(step), lists, source, fields);
    traces_.start(*level.traces, level.halo_code, fields.source(source));
    update_interior_blocks(arrays, lists, source, fields);
    if (is_electric) traces_.finish(*level.traces, faces, source, d_.first_halo_slot, level.place.read());
    else traces_.finish(*level.traces, faces, source, blocks.first_halo_slot, nullptr);
    update_halo_blocks(Queue::halo, arrays, lists, source, fields);
    backend_->main_waits();
  }
  // Values of H before it is filtered: within reach of level 1 only in `unfiltered`.
  LevelFields<Real> unfiltered_fields(Real* unfiltered, Real* magnetic) const {
    const std::int64_t reach = d_.reach_of_level(1);
    LevelFields<Real> fields;
    fields.base = unfiltered, fields.saved = unfiltered;
    fields.base_blocks = fields.saved_blocks = reach;
    fields.target = magnetic;
    return fields;
  }

  void make_levels() {
    const auto all = [this](const Batch& batch) { return in_lists(batch); };
    const bool waits = waits_for_traces(d_);
    listed_ = lists_below(d_, d_.owned_blocks, all, waits, memory());
    const auto without = [&](HalfStepWork work) {
      const auto has = [&](const Batch& batch) { return all(batch) && !d_.has_own_kernel(batch.traits, work); };
      return lists_below(d_, d_.owned_blocks, has, waits, memory());
    };
    if (has_layers()) without_layers_ = without(HalfStepWork::layers);
    if (!d_.states.empty()) without_states_ = without(HalfStepWork::layers_and_states);
    if (!has_levels()) return;
    levels_.resize(d_.levels.size());
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      levels_[l].neighbour = Array<std::uint32_t>::view(d_.levels[l].neighbour, memory());
      const std::vector<std::uint32_t> faces = exchanged_faces(d_, static_cast<int>(l));
      levels_[l].place = {faces, memory()};
      levels_[l].halo_code = traces_.codes(faces);
      levels_[l].traces = traces_.make_exchange(faces);
      levels_[l].own = lists_below(d_, d_.levels[l].own, all, !faces.empty(), memory());
      levels_[l].reach = lists_below(d_, d_.levels[l].reach, all, !faces.empty(), memory());
    }
  }

  void add_level_exchange(std::size_t l) {
    const std::vector<std::uint32_t> faces = exchanged_faces(d_, static_cast<int>(l));
    levels_[l].exchange = elements_.add_exchange(halo_plan(d_, faces));
    std::vector<std::uint32_t> face_of_ghost(static_cast<std::size_t>(faces_), ~0u);
    for (std::size_t i = 0; i < faces.size(); ++i) face_of_ghost[faces[i]] = static_cast<std::uint32_t>(i);
    levels_[l].face_of_ghost = {face_of_ghost, memory()};
  }

  const BlockLists& lists_of(const Operands& operands) const {
    if (operands.with_states() && !d_.states.empty()) return without_states_;
    return operands.work != HalfStepWork::curl && has_layers() ? without_layers_ : listed_;
  }
  const BlockLists& lists_of(const LevelStep<Real>& step) const {
    return step.half == HalfStep::electric ? levels_[step.level].own : levels_[step.level].reach;
  }
  static std::array<const Array<LevelBlock>*, 2> lists_of(const BlockLists& lists, bool curved) {
    if (curved) return {&lists.curved_interior, &lists.curved_halo};
    return {&lists.interior, &lists.halo};
  }
  void update_blocks(Queue queue, bool curved, const ElementArrays<Real>& arrays, const Array<LevelBlock>& list,
                     const Real* source, const LevelFields<Real>& fields) {
    if (list.size() > 0)
      elements_.update_level(queue, curved, arrays, list.read(), static_cast<std::int64_t>(list.size()), source,
                             fields);
  }
  void update_interior_blocks(const ElementArrays<Real>& arrays, const BlockLists& lists, const Real* source,
                              const LevelFields<Real>& fields) {
    update_blocks(Queue::main, false, arrays, lists.interior, source, fields);
    update_blocks(Queue::main, true, arrays, lists.curved_interior, source, fields);
  }
  void update_halo_blocks(Queue queue, const ElementArrays<Real>& arrays, const BlockLists& lists, const Real* source,
                          const LevelFields<Real>& fields) {
    update_blocks(queue, false, arrays, lists.halo, source, fields);
    update_blocks(queue, true, arrays, lists.curved_halo, source, fields);
  }

  // The largest batch in the main queue, small ones beside it: each alone would leave a GPU half idle at its end.
  // Next to a halo that is faster only if the half step is long enough to hide two more events, and up to order 3 in
  // the halo queue, which meets the main one anyway (docs/notebook/2026-11-22-tetrahedra-on-several-gpus.md).
  void update_interior(HalfStep h, const Call& call, const std::vector<Batch>& batches) {
    if (fits_one_launch(batches)) return update_batches(Queue::main, h, call, batches);
    constexpr double side_bytes = 64e6;  // of a field
    constexpr int highest_beside_halo = 3;
    const auto smaller = [](const Batch& a, const Batch& b) { return a.blocks < b.blocks; };
    const auto largest = std::max_element(batches.begin(), batches.end(), smaller);
    const bool beside = batches.size() > 1 && (faces_ == 0 || double(d_.owned_reals()) * sizeof(Real) > side_bytes);
    const Queue small = !beside                                         ? Queue::main
                        : faces_ > 0 && d_.order <= highest_beside_halo ? Queue::halo
                                                                        : Queue::side;
    if (small == Queue::side) backend_->wait_for(Queue::side, Queue::main);
    if (small == Queue::halo) backend_->wait_for_mark(Queue::halo, Queue::main);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch)
      if (batch != largest) update_batch(small, h, data_.operands(h), call.source, call.target, *batch);
    if (largest != batches.end()) update_batch(Queue::main, h, data_.operands(h), call.source, call.target, *largest);
    if (small == Queue::side) backend_->wait_for(Queue::main, Queue::side);
  }

  void start_traces(Half& half, const Real* field) {
    if (faces_ > 0) traces_.start(*half.traces, halo_code_, SplitField<Real>{field});
  }
  void finish_traces(Half& half, Real* field) {
    if (faces_ > 0) traces_.finish(*half.traces, faces_, field, d_.first_halo_slot, nullptr);
    traces_.turn(late(), field);
  }
  // The traces at t^n that the penalty of a half step takes from beyond an element's faces, since the half step changes
  // them: of elements of this rank, and of others.
  void bring_target_traces(HalfStep h, Real* target) {
    if (d_.upwind == 0) return;
    Half& other = of(h == HalfStep::electric ? HalfStep::magnetic : HalfStep::electric);
    start_traces(other, target);
    traces_.copy_behind_penalised(target);
    finish_traces(other, target);
    if (faces_ > 0) backend_->main_waits();
    traces_.main_wrote_elements();
  }
  // The queue in which elements are updated after the exchange of traces.
  Queue late() const { return faces_ > 0 ? Queue::halo : Queue::main; }
  const Discretisation<Real>& d_;
  std::shared_ptr<Backend> backend_;  // also of the other parts of a mesh by order; its memory outlives the arrays
  ElementData<Real> data_;
  Traces traces_;
  std::int64_t faces_;              // of halos, exchanged_faces
  Array<std::uint32_t> halo_code_;  // [faces] TraceMessages::codes
  Half half_[2];                    // electric, magnetic
  bool exchanges_inside_ = false;   // half steps exchange their halos inside of a launch, on all ranks
  std::array<typename Backend::Recording, std::bit_width(unsigned(most_steps_at_once))>
      step_recordings_;       // of 1, 2, 4, ... steps
  bool inside_work_ = false;  // what parts of recorded work record on their own belongs to it

  BlockLists listed_;          // all blocks but those with faces that may absorb
  BlockLists without_layers_;  // of those the ones outside of layers, where there are layers
  BlockLists without_states_;  // and without state, where there are states

  // Local time steps:
  struct Level {
    Array<std::uint32_t> neighbour;  // LevelBlocks
    Array<std::uint32_t> halo_code;  // [exchanged faces of the level] as halo_code_
    Array<std::uint32_t> place;      // [exchanged faces of the level] index of the face
    std::unique_ptr<Exchange> traces;
    int exchange = 0;                    // the same inside of a launch, where exchanges_inside_
    Array<std::uint32_t> face_of_ghost;  // there, of the source H: TraceExchange
    BlockLists own, reach;               // blocks of P_l and of N(P_l)
  };
  std::vector<Level> levels_;  // [L + 1], the first one unused; empty without local time steps
  typename Backend::Recording unfiltered_recording_;
  std::vector<JointPart> joint_;    // work of update_batches
  std::vector<Batch> all_batches_;  // work of update
  Elements elements_;
};

}  // namespace dgtd::dg
