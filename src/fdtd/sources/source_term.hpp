#pragma once
// A list of additions of a source, on a backend.
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"
#include "fdtd/discretisation/persistent_items.hpp"
#include "fdtd/steps/planes/plane_order.hpp"

namespace dgtd::fdtd {

/// Adds an entry's value to the field, or sets it.
template <class Stored>
struct AddSourceTerm {
  using Real = arithmetic_t<Stored>;
  SourceView<Real> source;
  Stored* field;
  double time;  // s, of the half step
  bool replaces;
  double per_unit;  // one over the field's unit, m/V
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    Stored& u = field[source.entries[i].index];
    const double added = per_unit * source.value(i, time);
    u = static_cast<Stored>(static_cast<Real>((replaces ? 0.0 : double(u)) + added));
  }
};

/// Adds the work of an entry in the step that ends.
template <class Stored>
struct AddWork {
  using Real = arithmetic_t<Stored>;
  SourceView<Real> source;
  const Stored* field;     // E
  double time, time_step;  // s; time: the middle of the step
  Real unit;               // V/m, of the field
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    source.add_work(i, time, time_step, unit * field[source.entries[i].index]);
  }
};

/// before[i] = E of the entry, V/m
template <class Stored>
struct TakeEntries {
  using Real = arithmetic_t<Stored>;
  SourceView<Real> source;
  const Stored* field;
  Real unit;  // V/m, of the field
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { source.before[i] = unit * field[source.entries[i].index]; }
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
  SourceTermOn(const Discretisation<Real>& d, SourceList list, Backend& backend, parallel::Storage& storage,
               const Engine<Stored>& engine, parallel::Array<Stored>& field, parallel::Array<Stored>& electric)
      : d_(d), backend_(backend), engine_(engine), field_(field), electric_(electric), list_(std::move(list)) {
    order_ = PlaneOrder(d.layout, indices(list_.entries), [&](int i, int j, int k) {
      return d.next_to_halo(list_.half == HalfStep::electric, {i, j, k});
    });
    list_.entries = order_.sorted(list_.entries);
    const std::size_t works = list_.counts_work() ? list_.entries.size() : 0;
    entries_ = storage.copy(list_.entries);
    work_ = storage.zeros<double>(works);
    before_ = storage.zeros<Real>(works);
    if (backend.memory().is_host()) list_.entries = {};  // entries_ are there
  }

  HalfStep half() const override { return list_.half; }
  bool replaces() const override { return list_.replaces; }
  SourceList list() const override {
    SourceList copy = list_;
    if (copy.entries.empty()) copy.entries = entries_.part(0, entries_.size());
    return copy;
  }
  void add(double time) const override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(entries_.size()), body(time));
  }
  void add_next_to_halo(double time) const override {
    backend_.for_each(parallel::Queue::main, order_.next_to_halo(), body(time));
  }
  void add_work(double time) override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(work_.size()), work_body(time));
  }
  double work() const override { return parallel::sum_of(work_); }
  void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& arrays) override {
    const auto numbered = has_work() ? indices(list().entries) : std::vector<std::uint64_t>();
    arrays.push_back(solver::persistent(name, list_items(d_, "entries of " + name, numbered), work_, {0}));
    arrays.back().may_be_absent = true;  // after steps of another scheme
  }
  void take_fields() override {
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(work_.size()),
                      TakeEntries<Stored>{view(), electric_.read(), unit()});
  }

  /// For passes of several steps.
  SourceView<Real> view() {
    SourceView<Real> view = entries_to_add();
    if (has_work()) view.work = work_.write(), view.before = before_.write();
    return view;
  }
  /// Body of the loop over the entries, which adds one.
  AddSourceTerm<Stored> body(double time) const {
    const double unit = list_.half == HalfStep::electric ? engine_.unit() : engine_.magnetic_unit();
    return {entries_to_add(), field_.write(), time, list_.replaces, 1 / unit};
  }
  AddWork<Stored> work_body(double time) { return {view(), electric_.read(), time, d_.time_step, unit()}; }
  bool has_work() const { return work_.size() > 0; }
  /// Order of the entries.
  const PlaneOrder& order() const { return order_; }

 private:
  Real unit() const { return static_cast<Real>(engine_.unit()); }
  SourceView<Real> entries_to_add() const {
    return {entries_.read(), list_.shape, list_.half == HalfStep::electric, nullptr, nullptr};
  }
  static std::vector<std::uint64_t> indices(const std::vector<SourceEntry>& entries) {
    std::vector<std::uint64_t> all;
    for (const SourceEntry& e : entries) all.push_back(e.index);
    return all;
  }

  const Discretisation<Real>& d_;
  const Backend& backend_;
  const Engine<Stored>& engine_;
  parallel::Array<Stored>&field_, &electric_;
  SourceList list_;  // in the order of entries_; its entries are here where entries_ are not in host memory
  PlaneOrder order_;
  parallel::Array<SourceEntry> entries_;  // [n]
  parallel::Array<double> work_;          // [n] J, where the work is counted, else empty
  parallel::Array<Real> before_;          // [n] E^n, V/m
};

}  // namespace dgtd::fdtd
