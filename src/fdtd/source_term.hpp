#pragma once
// A list of additions of a source, on a backend.
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"
#include "persistent_items.hpp"
#include "plane_order.hpp"
#include "volume_pass.hpp"

namespace dgtd::fdtd {

template <class Stored>
struct AddSourceTerm {
  Stored* field;
  const std::uint64_t* index;
  const double *weight, *delay;
  physics::WaveformShape shape;
  double time;
  bool replaces;
  double per_unit;  // one over the field's unit, m/V
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    Stored& u = field[index[i]];
    const double added = per_unit * (weight[i] * physics::value(shape, time - delay[i]));
    u = static_cast<Stored>(static_cast<arithmetic_t<Stored>>((replaces ? 0.0 : double(u)) + added));
  }
};

/// The work of a current on E in a step, as the scheme's energy counts it: -dt J^{n+1/2} . (E^n + E^{n+1}) / 2.
template <class Stored>
struct AddWork {
  using Real = arithmetic_t<Stored>;
  const Stored* field;
  const std::uint64_t* index;
  const double *moment, *delay;
  physics::WaveformShape shape;
  double time, time_step;
  Real unit;     // V/m, of the field
  Real* before;  // E^n, V/m
  double* sums;  // J
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real u = unit * field[index[i]];
    sums[i] -= 0.5 * time_step * moment[i] * physics::value(shape, time - delay[i]) * (double(before[i]) + double(u));
    before[i] = u;
  }
};

/// values[i] = field[index[i]] in V/m
template <class Stored>
struct TakeField {
  const Stored* field;
  const std::uint64_t* index;
  arithmetic_t<Stored> unit;  // V/m, of the field
  arithmetic_t<Stored>* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = unit * field[index[i]]; }
};

template <class Stored, class Backend>
class SourceTermOn final : public SourceTerm {
  using Real = arithmetic_t<Stored>;

 public:
  /// field: that of the half step; electric: E, for the work.
  SourceTermOn(const Discretisation<Real>& d, HalfStep half, const SourceTermList& list,
               const physics::WaveformShape& shape, const Backend& backend, parallel::Storage& storage,
               const Engine<Stored>& engine, parallel::Array<Stored>& field, parallel::Array<Stored>& electric)
      : d_(d),
        half_(half),
        backend_(backend),
        engine_(engine),
        field_(field),
        electric_(electric),
        shape_(shape),
        replaces_(list.replaces),
        time_step_(d.time_step) {
    order_ = PlaneOrder(d.layout, list.index, [&](int i, int j, int k) {
      return d.next_to_halo(half == HalfStep::electric, {i, j, k});
    });
    index_ = storage.copy(order_.sorted(list.index));
    weight_ = storage.copy(order_.sorted(list.weight));
    delay_ = storage.copy(order_.sorted(list.delay));
    moment_ = storage.copy(order_.sorted(list.moment));
    work_ = storage.zeros<double>(list.moment.size());
    before_ = storage.zeros<Real>(list.moment.size());
  }

  void add(double time) const override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(index_.size()), body(time));
  }
  void add_next_to_halo(double time) const override {
    backend_.for_each(parallel::Queue::main, order_.next_to_halo(), body(time));
  }
  void add_work(double time) override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(moment_.size()), work_body(time));
  }
  double work() const override { return parallel::sum_of(work_); }
  void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list) override {
    list.push_back(solver::persistent(name, list_items(d_, "entries of " + name, numbered_entries()), work_, {0}));
    list.back().may_be_absent = true;  // after steps of another scheme
  }
  void take_fields() override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(moment_.size()),
                      TakeField<Stored>{electric_.read(), index_.read(), unit(), before_.write()});
  }

  /// For passes of several steps.
  PassSourceList<Real> pass_list(HalfStep half) const {
    const auto all = [](const auto& values) { return values.part(0, values.size()); };
    return {half,
            shape_,
            all(index_),
            all(weight_),
            all(delay_),
            all(moment_),
            const_cast<double*>(work_.read()),
            const_cast<Real*>(before_.read())};
  }

  /// Body of the loop over the entries, which adds one.
  AddSourceTerm<Stored> body(double time) const {
    return {field_.write(), index_.read(),
            weight_.read(), delay_.read(),
            shape_,         time,
            replaces_,      1 / (half_ == HalfStep::electric ? engine_.unit() : engine_.magnetic_unit())};
  }
  AddWork<Stored> work_body(double time) {
    return {electric_.read(), index_.read(), moment_.read(),  delay_.read(), shape_, time,
            time_step_,       unit(),        before_.write(), work_.write()};
  }
  bool has_work() const { return moment_.size() > 0; }
  /// Order of the entries.
  const PlaneOrder& order() const { return order_; }

 private:
  Real unit() const { return static_cast<Real>(engine_.unit()); }
  std::vector<std::uint64_t> numbered_entries() const {
    std::vector<std::uint64_t> indices = index_.part(0, index_.size());
    indices.resize(moment_.size());  // none without moments
    return indices;
  }

  const Discretisation<Real>& d_;
  HalfStep half_;
  const Backend& backend_;
  const Engine<Stored>& engine_;
  parallel::Array<Stored>&field_, &electric_;
  physics::WaveformShape shape_;
  bool replaces_;
  double time_step_;  // s
  PlaneOrder order_;
  parallel::Array<std::uint64_t> index_;
  parallel::Array<double> weight_, delay_;
  parallel::Array<double> moment_, work_;  // [n] where the work is counted, else empty
  parallel::Array<Real> before_;           // [n] E^n, V/m
};

}  // namespace dgtd::fdtd
