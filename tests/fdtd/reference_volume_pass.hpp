#pragma once
// A pass over a volume grid (src/fdtd/steps/passes/volume_pass.hpp) in plain loops over all planes that a block stores,
// its own and its neighbours': the arithmetic of a tile on a GPU (cuda/fdtd/volume_tile.hpp) from the same tables,
// without tiles.
#include "fdtd/engine/cpu_backend.hpp"
#include "fdtd/steps/passes/volume_tables.hpp"

namespace dgtd::fdtd {

/// length: HalfStepView.
template <class Stored>
class ReferenceVolumePass final : public VolumePass<Stored> {
 public:
  ReferenceVolumePass(const Discretisation<float>& d, VolumeTables tables, const PassTerms& terms,
                      const PassFields<Stored>& fields, float length)
      : d_(d),
        t_(std::move(tables)),
        lists_(terms.lists),
        views_(terms.views),
        ports_(terms.ports),
        length_(length),
        per_length_(1 / length) {
    for (int f = 0; f < 2; ++f) {
      other_[f] = parallel::Array<Stored>(fields.field[f]->size());
      for (int a = 0; a < 3; ++a) other_psi_[f][a] = parallel::Array<float>(fields.psi[f][a]->size());
    }
    planes_ = d.layout.below + d.layout.cells[2] + d.layout.above;
  }
  int steps() const override { return most_steps_of_volume_pass; }
  double bytes() const override { return 0; }

  // All planes go on in copies; what is wrong near the ends of the neighbours' planes is not stored.
  void run(const PassStart& start, const PassFields<Stored>& fields) override {
    units_ = start.units;
    for (int f = 0; f < 2; ++f) {
      u_[f].clear();
      for (std::size_t n = 0; n < fields.field[f]->size(); ++n) u_[f].push_back(Number(fields.field[f]->read()[n]));
      for (int a = 0; a < 3; ++a)
        psi_[f][a].assign(fields.psi[f][a]->read(), fields.psi[f][a]->read() + fields.psi[f][a]->size());
    }
    for (int s = 0; s < steps(); ++s) {
      const double time = static_cast<double>(start.step + s) * d_.time_step, middle = time + 0.5 * d_.time_step;
      update(1);
      add_sources(HalfStep::magnetic, time);
      update(0);
      add_sources(HalfStep::electric, middle);
      if constexpr (std::is_same_v<Number, float>)
        for (const PassPort& port : ports_)
          for (std::size_t i = 0; i < port.edges.size(); ++i)
            UpdatePort<float>{port.view, u_[0].data(), start.record + s, middle, d_.time_step, units_[0]}(
                static_cast<std::int64_t>(i));
      add_work(middle);
    }
    store(fields);
  }

 private:
  using Number = std::conditional_t<is_compressed<Stored>, HalfNumber, float>;
  using Psi = float*;

  // f: 0 E from H below, 1 H from E above.
  void update(int f) {
    for (int k = 0; k < planes_; ++k)
      for (int j = 0; j < d_.layout.cells[1]; ++j)
        for (int i = 0; i < d_.layout.cells[0]; ++i) update_cell(f, i, j, k);
  }
  std::size_t at(int c, int i, int j, int k) const {
    return static_cast<std::size_t>(c * d_.layout.reals + d_.layout.index(i, j, k - d_.layout.below));
  }
  // The sum of a layer along an axis of the derivative of component axis + 1 + which of the other field; null: none.
  Psi psi(int f, int axis, int which, int i, int j, int k) {
    const int slot = t_.slot_of_tile[axis][static_cast<std::size_t>((j / 8) * d_.layout.tiles[0] + i / 32)];
    const int before = axis == 2 ? t_.slot_of_plane[2][static_cast<std::size_t>(k)] : k * t_.slots_of_plane[axis];
    if (slot < 0 || before < 0) return nullptr;
    return &psi_[f][axis]
                [static_cast<std::size_t>(((before + slot) * 2 + which) * cells_of_tile_plane + j % 8 * 32 + i % 32)];
  }
  const AxisArrays<float>& axis_of(int f, int axis) const {
    return axis == 2 ? t_.along_z[f] : (f == 0 ? d_.electric : d_.magnetic).axis[axis];
  }
  float damping(int axis, bool centre, int place) const {
    const DampingArrays<float>& all = axis == 2 ? t_.damping_along_z : d_.damping[axis];
    return (centre ? all.centres : all.nodes)[static_cast<std::size_t>(place)];
  }
  void update_cell(int f, int i, int j, int k) {
    const int cell[3] = {i, j, k};
    for (int c = 0; c < 3; ++c) {
      Number& u = u_[f][at(c, i, j, k)];
      MediumClass<float> m{1, t_.Cb[f]};
      if (f == 0 && !t_.class_of[c].empty() && t_.class_of[c][at(0, i, j, k)] != 0)
        m = t_.classes[t_.class_of[c][at(0, i, j, k)]];
      const Number factor(
          f == 1 || !t_.damped ? 1 : (damping(1, c == 1, j) * damping(2, c == 2, k)) * damping(0, c == 0, i));
      u = u * factor;
      u = Number(m.Ca) * u;
      for (int axis = 0; axis < 3; ++axis) {  // curl_c = d_(c+1) of component c+2 - d_(c+2) of component c+1
        if (axis == c) continue;
        const int other = 3 - axis - c;
        const bool positive = (axis == (c + 1) % 3) == (f == 0);
        int beside[3] = {i, j, k};
        beside[axis] += f == 0 ? -1 : 1;
        const bool inside = beside[2] >= 0 && beside[2] < planes_;
        const Number here = u_[1 - f][at(other, i, j, k)];
        const Number there = inside ? u_[1 - f][at(other, beside[0], beside[1], beside[2])] : Number(0.0f);
        const Number d = f == 0 ? here - there : there - here;
        const auto place = static_cast<std::size_t>(cell[axis]);
        const AxisArrays<float>& arrays = axis_of(f, axis);
        const Number Cb = in_lengths<Number>(positive ? m.Cb : -m.Cb, per_length_);
        u = multiply_add(Cb * in_lengths<Number>(arrays.inverse_distance[place], length_), d, u);
        if (const Psi sum = psi(f, axis, other == (axis + 1) % 3 ? 0 : 1, i, j, k)) {
          const Number c = in_lengths<Number>(arrays.c[place], length_);
          const Number new_sum = multiply_add(Number(arrays.b[place]), in_lengths<Number>(*sum, length_), c * d);
          *sum = from_lengths(new_sum, per_length_);
          u = multiply_add(Cb, new_sum, u);
        }
      }
      u = u * factor;
    }
  }

  void add_sources(HalfStep half, double time) {
    const int f = half == HalfStep::electric ? 0 : 1;
    for (const SourceList& list : lists_)
      for (const SourceEntry& e : list.entries) {
        if (list.half != half) continue;
        Number& u = u_[f][e.index];
        const double added = 1 / units_[f] * (e.weight * physics::value(list.shape, time - e.delay));
        u = Number(static_cast<float>(double(float(u)) + added));
      }
  }
  void add_work(double time) {
    for (std::size_t l = 0; l < views_.size(); ++l)
      for (std::size_t n = 0; views_[l].work != nullptr && n < lists_[l].entries.size(); ++n) {
        const SourceEntry& e = lists_[l].entries[n];
        const float u = static_cast<float>(units_[0]) * float(u_[0][e.index]);
        views_[l].work[n] -= 0.5 * d_.time_step * e.moment * physics::value(lists_[l].shape, time - e.delay) *
                             (double(views_[l].before[n]) + double(u));
        views_[l].before[n] = u;
      }
  }

  // The tasks' cells alone; other planes become no numbers until their owner has sent them.
  void store(const PassFields<Stored>& fields) {
    const float nothing = std::numeric_limits<float>::quiet_NaN();
    const GridLayout& l = d_.layout;
    for (int f = 0; f < 2; ++f) {
      Stored* const to = other_[f].write();
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < planes_; ++k)
          if (k < l.below || k >= l.below + l.cells[2])
            for (int j = 0; j < l.cells[1]; ++j)
              for (int i = 0; i < l.cells[0]; ++i) to[at(c, i, j, k)] = Stored(nothing);
      for (int a = 0; a < 3; ++a) std::copy(psi_[f][a].begin(), psi_[f][a].end(), other_psi_[f][a].write());
      for (int a = 0; a < 2; ++a) {
        const auto of_plane = static_cast<std::size_t>(t_.slots_of_plane[a]) * 2 * cells_of_tile_plane;
        float* const sums = other_psi_[f][a].write();
        for (int k = 0; k < planes_; ++k)
          if (k < l.below || k >= l.below + l.cells[2])
            std::fill_n(sums + static_cast<std::size_t>(k) * of_plane, of_plane, nothing);
      }
    }
    for (const auto& group : t_.groups)
      for (const VolumeTask& task : group.tasks)
        for (int k = task.first[2]; k < task.end[2]; ++k)
          for (int j = task.first[1]; j < task.end[1]; ++j)
            for (int i = task.first[0]; i < task.end[0]; ++i)
              for (int f = 0; f < 2; ++f)
                for (int c = 0; c < 3; ++c) other_[f].write()[at(c, i, j, k)] = stored(u_[f][at(c, i, j, k)]);
    for (int f = 0; f < 2; ++f) {
      std::swap(*fields.field[f], other_[f]);
      for (int a = 0; a < 3; ++a) std::swap(*fields.psi[f][a], other_psi_[f][a]);
    }
  }

  static Stored stored(Number u) {
    if constexpr (is_compressed<Stored>) return u.stored();
    else return u;
  }

  const Discretisation<float>& d_;
  VolumeTables t_;
  std::vector<SourceList> lists_;
  std::vector<SourceView<float>> views_;  // of the first ones
  std::vector<PassPort> ports_;
  float length_, per_length_;
  int planes_;
  std::array<double, 2> units_{1, 1};
  parallel::Array<Stored> other_[2];
  parallel::Array<float> other_psi_[2][3];
  std::vector<Number> u_[2];
  std::vector<float> psi_[2][3];
};

/// CPU threads with such passes.
class ReferenceBackend : public CpuBackend {
 public:
  using CpuBackend::CpuBackend;
  static constexpr bool half_arithmetic = true;
  template <class Stored>
  static constexpr bool has_volume_passes = !std::is_same_v<Stored, double>;
  template <class Stored>
  VolumePassOr<Stored> make_volume_pass(const Discretisation<float>& d, const PassTerms& terms,
                                        const VolumeMargins& margins, const std::optional<HalfUnits>& half,
                                        const PassFields<Stored>& fields, double, Timers&) {
    VolumeTables tables =
        volume_tables(d, terms.lists, most_steps_of_volume_pass, 132, half, margins, terms.indices_of_ports());
    if (!tables.why_not.empty()) return {nullptr, tables.why_not};
    return {std::make_unique<ReferenceVolumePass<Stored>>(d, std::move(tables), terms, fields, half ? half->length : 1),
            ""};
  }
};

}  // namespace dgtd::fdtd
