#pragma once
// The executor, written once over what differs: Elements, the kernels of elements on a backend (CpuElements,
// CudaElements), with
//   Backend, Elements(d, backend)
//   update(queue, arrays, source, target, batch)           a half step of a batch
//   energy(arrays, electric, magnetic, batch)              its energy, J; H is restored; waits
//   products(metric, u, v)                                 [owned slots]
//   add_norm(metric, e, h, sum)                            of Executor::add_norm
//   memory_bytes(), occupancy()
#include <algorithm>

#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::dg {

using parallel::Array, parallel::Queue;

/// Exchange of the traces of d's order between ranks.
template <class Real>
parallel::HaloPlan halo_plan(const Discretisation<Real>& d) {
  parallel::HaloPlan plan;
  for (const auto& n : d.mesh.halo_neighbours) plan.sends.push_back({n.rank, n.first, n.count});
  plan.receives = plan.sends;
  plan.faces = d.mesh.halo_faces.size();
  plan.reals_per_face = 2 * std::size_t(triangle_nodes(d.order));
  return plan;
}

template <class Real, class Elements>
class ExecutorOn final : public Executor<Real> {
  using Backend = typename Elements::Backend;
  static_assert(parallel::Backend<Backend>);

 public:
  ExecutorOn(const Discretisation<Real>& d, KernelFusion fusion, std::unique_ptr<Backend> backend)
      : d_(d),
        backend_(std::move(backend)),
        neighbour_(Array<std::uint32_t>::view(d.neighbour, memory())),
        metric_(Array<Real>::view(d.metric, memory())),
        external_(Array<std::uint32_t>::view(d.external, memory())),
        flux_(fusion == KernelFusion::split ? std::size_t(d.owned_blocks) * 3 * d.layout.nodes * block_lanes : 0,
              memory()),
        faces_(static_cast<std::int64_t>(d.mesh.halo_faces.size())),
        face_nodes_(triangle_nodes(d.order)),
        elements_(d, *backend_) {
    const FaceTraceEntries entries = face_trace_entries(d.order);
    entry_a_ = {entries.a, memory()};
    entry_b_ = {entries.b, memory()};
    minus_ = {entries.minus, memory()};
    std::vector<std::uint32_t> code;
    for (const auto& at : d.mesh.halo_faces)
      code.push_back(NeighbourCode::encode(d.slot_of_element[at.element], at.face));
    halo_code_ = {code, memory()};
    for (auto& half : half_) half.traces = backend_->template make_exchange<Real>(halo_plan(d));
  }

  parallel::Memory& memory() override { return backend_->memory(); }
  double memory_bytes() const override {
    double bytes = neighbour_.bytes() + metric_.bytes() + external_.bytes() + flux_.bytes() + elements_.memory_bytes();
    for (const auto& half : half_)
      bytes += half.rate.bytes() + half.decay.bytes() + half.mirror.bytes() + half.admittance.bytes();
    return bytes;
  }

  void load_half_steps() override {
    backend_->wait();
    for (const HalfStep h : {HalfStep::electric, HalfStep::magnetic}) {
      const HalfStepArrays<Real>& from = h == HalfStep::electric ? d_.electric : d_.magnetic;
      Half& half = of(h);
      half.rate = Array<Real>::view(from.rate, memory());
      half.decay = Array<Real>::view(from.decay, memory());
      half.mirror = Array<Real>::view(from.mirror, memory());
      half.admittance = Array<Real>::view(from.admittance, memory());
      half.recording.forget();
    }
  }

  // A rank without neighbours: a device replays the half step, without the host. With neighbours, a graph would end the
  // overlap of the messages of a half step with the half step before, and was slower (docs/performance.md).
  void update(HalfStep h, Field<Real>& source, Field<Real>& target, const Batches& batches) override {
    Half& half = of(h);
    const Call call{source.write(), target.write(), &batches};
    const auto work = [&] {
      start_traces(half, call.source);
      update_interior(h, call);
      finish_traces(half, call.source);
      for (const Batch& batch : batches.halo) elements_.update(Queue::halo, arrays(h), call.source, call.target, batch);
      if (!batches.halo.empty()) backend_->main_waits();
    };
    if (faces_ > 0) return work();
    if (!(call == half.recorded)) half.recording.forget();
    half.recorded = call;
    backend_->repeat(half.recording, work);
  }

  double energy(Field<Real>& electric, Field<Real>& magnetic, const Batches& batches) override {
    Half& half = of(HalfStep::magnetic);
    start_traces(half, electric.write());
    finish_traces(half, electric.write());
    backend_->main_waits();
    elements_written_ = true;
    double sum = 0;
    for (const auto* list : {&batches.interior, &batches.halo})
      for (const Batch& batch : *list)
        sum += elements_.energy(arrays(HalfStep::magnetic), electric.read(), magnetic.write(), batch);
    return sum;
  }

  std::vector<double> element_products(const Field<Real>& u, const Field<Real>& v) override {
    return elements_.products(metric_.read(), u.read(), v.read());
  }

  void add_norm(const Field<Real>& e, const Field<Real>& h, parallel::ReproducibleSum& sum) override {
    elements_.add_norm(metric_.read(), e.read(), h.read(), sum);
  }

  void for_each(std::int64_t n, const Loop<Real>& loop) override {
    std::visit(
        [&]<class Body>(const Body& body) {
          elements_written_ = elements_written_ || writes_elements<Body>;
          backend_->for_each(Queue::main, n, body);
        },
        loop);
  }
  void add_sum(std::int64_t n, const WeightedCoefficient<Real>& term, double factor, double* sum) override {
    backend_->add_sum(Queue::main, n, term, factor, sum);
  }

  double halo_wait_seconds() const override {
    return half_[0].traces->wait_seconds() + half_[1].traces->wait_seconds();
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
    Array<Real> rate, decay, mirror, admittance;                        // ElementArrays
    std::unique_ptr<typename Backend::template Exchange<Real>> traces;  // of the source
    typename Backend::Recording recording;
    Call recorded;
  };

  Half& of(HalfStep half) { return half_[half == HalfStep::electric ? 0 : 1]; }
  ElementArrays<Real> arrays(HalfStep h) {
    const Half& half = of(h);
    return {neighbour_.read(),      metric_.read(),          half.rate.read(),
            half.decay.read(),      external_.read(),        half.mirror.read(),
            half.admittance.read(), d_.first_boundary_block, flux_.size() > 0 ? flux_.write() : nullptr};
  }

  // The largest batch in the main queue, small ones beside it: each alone would leave a GPU half idle at its end.
  // Next to a halo that is faster only if the half step is long enough to hide two more events.
  void update_interior(HalfStep h, const Call& call) {
    constexpr double side_bytes = 64e6;  // of a field
    const std::vector<Batch>& batches = call.batches->interior;
    const auto smaller = [](const Batch& a, const Batch& b) { return a.blocks < b.blocks; };
    const auto largest = std::max_element(batches.begin(), batches.end(), smaller);
    const bool beside = batches.size() > 1 && (faces_ == 0 || double(d_.owned_reals()) * sizeof(Real) > side_bytes);
    const Queue small = beside ? Queue::side : Queue::main;
    if (beside) backend_->wait_for(Queue::side, Queue::main);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch)
      if (batch != largest) elements_.update(small, arrays(h), call.source, call.target, *batch);
    if (largest != batches.end()) elements_.update(Queue::main, arrays(h), call.source, call.target, *largest);
    if (beside) backend_->wait_for(Queue::main, Queue::side);
  }

  // The traces of a half step are those of elements that the halo queue has updated itself: their exchange begins while
  // the main queue still updates the interior, unless that has written such elements. Only the update of elements next
  // to other ranks waits for it.
  void start_traces(Half& half, const Real* field) {
    if (faces_ == 0) return;
    backend_->mark(Queue::main);
    if (elements_written_) backend_->wait_for_mark(Queue::halo, Queue::main);
    elements_written_ = false;
    backend_->for_each(Queue::halo, faces_ * face_nodes_,
                       PackTraces<Real>{field, d_.layout, halo_code_.read(), entry_a_.read(), entry_b_.read(),
                                        minus_.read(), face_nodes_, half.traces->send_view()});
    half.traces->start();
  }
  void finish_traces(Half& half, Real* field) {
    if (faces_ == 0) return;
    half.traces->finish();
    const int ghost = ghost_face * face_nodes_;
    backend_->for_each(Queue::halo, faces_ * face_nodes_,
                       UnpackTraces<Real>{field, d_.layout, d_.first_halo_slot, entry_a_.read() + ghost,
                                          entry_b_.read() + ghost, face_nodes_, half.traces->receive_buffer()});
    backend_->wait_for_mark(Queue::halo, Queue::main);
  }

  const Discretisation<Real>& d_;
  std::unique_ptr<Backend> backend_;  // its memory outlives the arrays
  Array<std::uint32_t> neighbour_;    // shapes: ElementArrays
  Array<Real> metric_;
  Array<std::uint32_t> external_;
  Array<Real> flux_;    // empty for fused kernels
  std::int64_t faces_;  // of halos
  int face_nodes_;
  Array<std::uint32_t> halo_code_;        // [faces] NeighbourCode of the owned element and its face
  Array<int> entry_a_, entry_b_, minus_;  // FaceTraceEntries
  bool elements_written_ = true;          // by the main queue since the last exchange
  Half half_[2];                          // electric, magnetic
  Elements elements_;
};

}  // namespace dgtd::dg
