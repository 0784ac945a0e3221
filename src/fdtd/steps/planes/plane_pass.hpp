#pragma once
// Passes over a plane grid, several steps each, on a backend (engine_on.hpp): E and H go from one pair of arrays to
// another, which change places.
#include <cmath>
#include <limits>
#include <numeric>

#include "dgtd/fdtd/kernels/plane_temporal_blocking.hpp"
#include "dgtd/parallel/array.hpp"
#include "fdtd/discretisation/persistent_items.hpp"
#include "fdtd/steps/planes/plane_tables.hpp"

namespace dgtd::fdtd {

using parallel::Array;

template <class Real, class Backend>
class PlanePass {
 public:
  PlanePass(const Discretisation<Real>& d, PlaneFields fields, const std::vector<SourceList>& sources,
            Backend& backend);

  /// From `electric` and `magnetic` at the time of step `first_step` to so many steps later, at most most_steps_a_pass.
  /// Afterwards old_electric() and old_magnetic() hold what they held before.
  void run(std::int64_t first_step, int steps, parallel::Array<Real>& electric, parallel::Array<Real>& magnetic);
  /// Takes the last pass back; keep_work() came before it.
  void take_back(parallel::Array<Real>& electric, parallel::Array<Real>& magnetic);
  void keep_work();
  parallel::Array<Real>& old_electric() { return other_[0]; }
  parallel::Array<Real>& old_magnetic() { return other_[1]; }
  /// Energy that the sources have supplied so far, J: the sum over their entries, and that of absolute values.
  double work() const;
  double gross_work() const;
  double bytes() const;
  /// Adds the layers' sums and the work to the arrays of a checkpoint.
  void add_persistent(const std::string& prefix, std::vector<solver::PersistentArray>& list);

 private:
  struct Table {
    Array<int> row;
    Array<PlaneSourceTerm> entry;
    Array<double> work;
  };
  template <PlaneFields fields, int steps>
  void launch(const PlaneView<Real>& view);
  std::vector<double> works() const;  // [entries] J
  PlaneView<Real> view(std::int64_t first_step, parallel::Array<Real>& electric, parallel::Array<Real>& magnetic);

  const Discretisation<Real>& d_;
  PlaneFields fields_;
  Backend& backend_;
  parallel::Array<Real> other_[2];  // [3][reals] E, H
  Array<Real> x_[2][3], y_[2][3];   // PlaneAxis of E and H
  Array<MediumClass<Real>> classes_[2];
  Array<std::uint16_t> class_of_[3];  // u, a, b
  Array<Real> psi_[2][4];             // before and after a pass; empty without layers
  int psi_before_ = 0;
  Table drives_[2];
  std::vector<double> kept_work_[2];
  Array<physics::WaveformShape> shapes_;
  Array<PlaneTask> plain_, in_layers_;
};

template <class Real, class Backend>
PlanePass<Real, Backend>::PlanePass(const Discretisation<Real>& d, PlaneFields fields,
                                    const std::vector<SourceList>& sources, Backend& backend)
    : d_(d), fields_(fields), backend_(backend) {
  parallel::Memory& memory = backend.memory();
  const auto reals = static_cast<std::size_t>(d.layout.reals);
  for (auto& field : other_) field = parallel::Array<Real>(3 * reals, memory);
  const int strips = (d.layout.cells[0] + strip_columns - 2 * strip_halo - 1) / (strip_columns - 2 * strip_halo);
  PlaneTables<Real> tables = plane_tables(d, fields, backend.rows_a_task(strips, d.layout.cells[1], sizeof(Real)));
  for (int field = 0; field < 2; ++field) {
    for (int n = 0; n < 3; ++n) {
      x_[field][n] = Array<Real>(tables.x[field][n], memory);
      y_[field][n] = Array<Real>(tables.y[field][n], memory);
    }
    classes_[field] = Array<MediumClass<Real>>(field == 0 ? d.electric.classes : d.magnetic.classes, memory);
    const PlaneSourceTable table =
        plane_source_terms(d.layout, fields, field == 0 ? HalfStep::electric : HalfStep::magnetic, sources);
    for (std::vector<PlaneTask>* const tasks : {&tables.plain, &tables.in_layers}) mark_source_rows(table, *tasks);
    drives_[field] = {Array<int>(table.row, memory), Array<PlaneSourceTerm>(table.entry, memory),
                      Array<double>(table.entry.size(), memory)};
  }
  for (int c = 0; c < 3; ++c) class_of_[c] = Array<std::uint16_t>(tables.class_of[c], memory);
  if (tables.layered)
    for (auto& side : psi_)
      for (auto& psi : side) psi = Array<Real>(reals, memory);
  std::vector<physics::WaveformShape> shapes;
  for (const auto& source : sources) shapes.push_back(source.shape);
  shapes_ = Array<physics::WaveformShape>(shapes, memory);
  plain_ = Array<PlaneTask>(tables.plain, memory);
  in_layers_ = Array<PlaneTask>(tables.in_layers, memory);
}

template <class Real, class Backend>
PlaneView<Real> PlanePass<Real, Backend>::view(std::int64_t first_step, parallel::Array<Real>& electric,
                                               parallel::Array<Real>& magnetic) {
  PlaneView<Real> v{};
  const GridLayout& l = d_.layout;
  v.columns = l.cells[0];
  v.rows = l.cells[1];
  v.stride = l.row;
  v.origin = l.index(0, 0, 0);
  const auto components = plane_components(fields_);
  for (int c = 0; c < 3; ++c) {
    const std::int64_t at = components[c].axis * l.reals;
    v.old_field[c] = (components[c].field == 0 ? electric : magnetic).read() + at;
    v.new_field[c] = other_[components[c].field].write() + at;
    v.class_of[c] = class_of_[c].read();
  }
  for (int p = 0; p < 4; ++p) {
    v.old_psi[p] = psi_[psi_before_][p].read();
    v.new_psi[p] = psi_[1 - psi_before_][p].write();
  }
  for (int field = 0; field < 2; ++field) {
    v.x[field] = {x_[field][0].read(), x_[field][1].read(), x_[field][2].read()};
    v.y[field] = {y_[field][0].read(), y_[field][1].read(), y_[field][2].read()};
    v.classes[field] = classes_[field].read();
    v.sources[field] = {drives_[field].row.read(), drives_[field].entry.read(), shapes_.read(),
                        drives_[field].work.write()};
  }
  v.first_step = first_step;
  v.time_step = d_.time_step;
  return v;
}

template <class Real, class Backend>
template <PlaneFields fields, int steps>
void PlanePass<Real, Backend>::launch(const PlaneView<Real>& v) {
  const bool mixed = class_of_[0].size() + class_of_[1].size() + class_of_[2].size() > 0;
  if (mixed)
    backend_.template for_strips<fields, steps, false, true>(v, plain_.read(),
                                                             static_cast<std::int64_t>(plain_.size()));
  else
    backend_.template for_strips<fields, steps, false, false>(v, plain_.read(),
                                                              static_cast<std::int64_t>(plain_.size()));
  backend_.template for_strips<fields, steps, true, true>(v, in_layers_.read(),
                                                          static_cast<std::int64_t>(in_layers_.size()));
}

template <class Real, class Backend>
void PlanePass<Real, Backend>::run(std::int64_t first_step, int steps, parallel::Array<Real>& electric,
                                   parallel::Array<Real>& magnetic) {
  const PlaneView<Real> v = view(first_step, electric, magnetic);
  const bool ez = fields_ == PlaneFields::ez;
  if (steps == most_steps_a_pass)
    ez ? launch<PlaneFields::ez, most_steps_a_pass>(v) : launch<PlaneFields::hz, most_steps_a_pass>(v);
  else ez ? launch<PlaneFields::ez, 1>(v) : launch<PlaneFields::hz, 1>(v);
  std::swap(electric, other_[0]);
  std::swap(magnetic, other_[1]);
  psi_before_ = 1 - psi_before_;
}

template <class Real, class Backend>
void PlanePass<Real, Backend>::keep_work() {
  for (int field = 0; field < 2; ++field) {
    const auto& work = drives_[field].work;
    kept_work_[field].resize(work.size());
    if (work.size() > 0)
      backend_.memory().download(kept_work_[field].data(), work.read(), work.size() * sizeof(double));
  }
}

template <class Real, class Backend>
void PlanePass<Real, Backend>::take_back(parallel::Array<Real>& electric, parallel::Array<Real>& magnetic) {
  std::swap(electric, other_[0]);
  std::swap(magnetic, other_[1]);
  psi_before_ = 1 - psi_before_;
  for (int field = 0; field < 2; ++field) {
    const auto& kept = kept_work_[field];
    if (!kept.empty()) backend_.memory().upload(drives_[field].work.write(), kept.data(), kept.size() * sizeof(double));
  }
}

template <class Real, class Backend>
std::vector<double> PlanePass<Real, Backend>::works() const {
  const auto& work = drives_[0].work;
  std::vector<double> sums(work.size());
  if (!sums.empty()) backend_.memory().download(sums.data(), work.read(), sums.size() * sizeof(double));
  return sums;
}

template <class Real, class Backend>
double PlanePass<Real, Backend>::work() const {
  double sum = 0;
  for (const double s : works()) sum += s;
  return sum;
}

template <class Real, class Backend>
double PlanePass<Real, Backend>::gross_work() const {
  double sum = 0;
  for (const double s : works()) sum += std::abs(s);
  return sum;
}

// psi is named as the tiles' sums are, which other schemes use.
template <class Real, class Backend>
void PlanePass<Real, Backend>::add_persistent(const std::string& prefix, std::vector<solver::PersistentArray>& list) {
  const bool ez = fields_ == PlaneFields::ez;
  const HalfStep of_u = ez ? HalfStep::electric : HalfStep::magnetic,
                 of_a_b = ez ? HalfStep::magnetic : HalfStep::electric;
  const struct {
    HalfStep half;
    int axis, which;
  } names[4] = {{of_u, 0, 0}, {of_u, 1, 1}, {of_a_b, 1, 0}, {of_a_b, 0, 1}};
  for (std::size_t p = 0; p < 4; ++p) {
    const auto& [half, axis, which] = names[p];
    Array<Real>& psi = psi_[psi_before_][p];
    if (psi.size() > 0)
      list.push_back(
          solver::persistent(prefix + layer_name(half, axis, which), layer_items(d_, half, axis, true), psi, {0}));
  }
  for (std::size_t field = 0; field < 2; ++field) {
    Array<double>& work = drives_[field].work;
    std::vector<std::int64_t> numbers(work.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::string name = prefix + (field == 0 ? "work of E's entries" : "work of H's entries");
    list.push_back(solver::persistent(
        name, list_items("entries of " + name, numbers, std::numeric_limits<std::int32_t>::max()), work, {0}));
    list.back().may_be_absent = true;  // after steps of another scheme
  }
}

template <class Real, class Backend>
double PlanePass<Real, Backend>::bytes() const {
  double sum = 2.0 * double(other_[0].size()) * sizeof(Real);
  for (const auto& side : psi_)
    for (const auto& psi : side) sum += psi.bytes();
  for (const auto& c : class_of_) sum += c.bytes();
  return sum;
}

}  // namespace dgtd::fdtd
