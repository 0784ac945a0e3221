#pragma once
// A lumped port (port.hpp) on a backend: a correction of E in its edges after each half step.
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/port_view.hpp"
#include "dgtd/parallel/backend.hpp"
#include "fdtd/discretisation/persistent_items.hpp"
#include "fdtd/sources/source_term.hpp"
#include "fdtd/steps/planes/plane_order.hpp"

namespace dgtd::fdtd {

/// A step of edge i after the half step and its sources.
template <class Stored>
struct UpdatePort {
  using Real = arithmetic_t<Stored>;
  PortView<Real> port;
  Stored* field;
  std::int64_t step;       // of the records
  double time, time_step;  // s; time: the middle of the step
  double unit;             // V/m, of the field
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PortEdge& e = port.edges[i];
    PortState<Real> state = port.state(i);
    step_of_edge(e, port.source(i, time), unit, time_step, field[e.index], state, port.record(step, i));
    port.set_state(i, state);
  }
};

template <class Stored, class Backend>
class PortOn final : public PortTerm {
  using Real = arithmetic_t<Stored>;

 public:
  PortOn(const Discretisation<Real>& d, const std::vector<PortEdge>& edges, const physics::WaveformShape& shape,
         double amplitude, const Backend& backend, parallel::Storage& storage, const Engine<Stored>& engine,
         parallel::Array<Stored>& electric)
      : d_(d), backend_(backend), engine_(engine), electric_(electric), shape_(shape), amplitude_(amplitude) {
    for (const PortEdge& e : edges) indices_.push_back(e.index);
    order_ = PlaneOrder(d.layout, indices_, [&](int i, int j, int k) { return d.next_to_halo(true, {i, j, k}); });
    indices_ = order_.sorted(indices_);
    index_ = storage.copy(indices_);
    edges_ = storage.copy(order_.sorted(edges));
    before_ = storage.zeros<Real>(edges.size());
    first_ = storage.zeros<double>(edges.size());
    second_ = storage.zeros<double>(edges.size());
    work_ = storage.zeros<double>(edges.size());
    record_ = storage.zeros<double>(most_records * 3 * edges.size());
  }

  void apply(double time) override {
    backend_.for_each(parallel::Queue::main, count(), body(time, 0));
    finish_steps(1);
  }
  double work() const override { return parallel::sum_of(work_); }
  std::vector<double> take_records() override {
    std::vector<double> sums(3 * static_cast<std::size_t>(records_), 0);
    const std::size_t n = edges_.size();
    if (n > 0) {
      const std::vector<double> all = record_.part(0, 3 * n * static_cast<std::size_t>(records_));
      for (std::size_t step = 0; step < static_cast<std::size_t>(records_); ++step)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < 3; ++k) sums[3 * step + k] += all[3 * (step * n + i) + k];
    }
    records_ = 0;
    return sums;
  }
  void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list) override {
    const auto items = list_items(d_, "edges of " + name, indices_);
    list.push_back(solver::persistent("work of " + name, items, work_, {0}));
    list.push_back(solver::persistent("current in " + name, items, first_, {0}));
    list.push_back(solver::persistent("voltage in " + name, items, second_, {0}));
  }
  void take_fields() override {
    backend_.for_each(
        parallel::Queue::main, count(),
        TakeField<Stored>{electric_.read(), index_.read(), static_cast<Real>(engine_.unit()), before_.write()});
  }

  /// Body of the loop over the edges at the stage'th step from here on.
  UpdatePort<Stored> body(double time, int stage) {
    return {view(), electric_.write(), records_ + stage, time, d_.time_step, engine_.unit()};
  }
  /// For passes of several steps: the edges and what a pass changes of them, with what the host wrote; then the steps
  /// that are recorded, and how many more have been.
  PortView<Real> view() {
    return {edges_.read(),   before_.write(), first_.write(), second_.write(), work_.write(),
            record_.write(), count(),         shape_,         amplitude_};
  }
  std::vector<PortEdge> edges() const { return edges_.part(0, edges_.size()); }
  std::int64_t records() const { return records_; }
  void finish_steps(int steps) { records_ += steps; }
  const PlaneOrder& order() const { return order_; }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(edges_.size()); }

  const Discretisation<Real>& d_;
  const Backend& backend_;
  const Engine<Stored>& engine_;
  parallel::Array<Stored>& electric_;
  physics::WaveformShape shape_;
  double amplitude_;  // V
  PlaneOrder order_;
  std::vector<std::uint64_t> indices_;  // [n] in this order
  parallel::Array<std::uint64_t> index_;
  parallel::Array<PortEdge> edges_;
  parallel::Array<Real> before_;
  parallel::Array<double> first_, second_, work_;
  parallel::Array<double> record_;  // [most_records][n][3]
  std::int64_t records_ = 0;        // steps that are in it
};

}  // namespace dgtd::fdtd
