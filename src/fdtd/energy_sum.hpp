#pragma once
// The energy of the fields, summed on a backend.
#include <algorithm>
#include <tuple>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/update_field.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::fdtd {

inline bool before_in_memory(const Tile& a, const Tile& b) {
  return std::tie(a.first[2], a.first[1], a.first[0]) < std::tie(b.first[2], b.first[1], b.first[0]);
}

/// H of a cell after the half step that made it from the H before.
template <class Stored>
struct StoredMagnetic {
  const Stored* magnetic;  // [3][reals]
  DGTD_HOST_DEVICE void operator()(const Tile&, const Row& row, std::int64_t reals, Stored (&u)[3]) const {
    for (int c = 0; c < 3; ++c) u[c] = magnetic[c * reals + row.n];
  }
};
/// The same, computed here and not stored; the present H is the one before.
template <class Stored, class Arithmetic>
struct AdvancedMagnetic {
  HalfStepView<Stored> v;
  DGTD_HOST_DEVICE void operator()(const Tile& tile, const Row& row, std::int64_t, Stored (&u)[3]) const {
    if (tile.classes >= 0) advance<true>(tile, row, u);
    else advance<false>(tile, row, u);
  }

 private:
  template <bool mixed>
  DGTD_HOST_DEVICE void advance(const Tile& tile, const Row& row, Stored (&u)[3]) const {
    Arithmetic advanced[3][1];
    UpdateField<Stored, Difference::forward, true, mixed, false, Arithmetic>{v}.template advance<false>(tile, row,
                                                                                                        advanced);
    for (int c = 0; c < 3; ++c) u[c] = as_stored<Stored>(advanced[c][0]);
  }
};

/// Twice the energy over eps0 of the cells of lane i % 32 of tile i / 32. Magnetic: of the two above.
template <class Stored, class Magnetic>
struct SumEnergy {
  using Real = arithmetic_t<Stored>;
  const Stored* electric;         // [3][reals] E
  const Stored* magnetic_before;  // [3][reals] H a step before
  Magnetic magnetic_after;
  GridLayout layout;
  const std::uint16_t *electric_class_of, *magnetic_class_of;  // HalfStepView
  const Tile *electric_tiles, *magnetic_tiles;                 // the same cells in the same order
  const Real *length[3], *dual_length[3];                      // [padded cells] m
  const double *permittivity, *permeability;                   // [class] relative
  double magnetic_weight;                                      // the square of H's unit over that of E
  double* sums;                                                // [tile][32]
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Tile& te = electric_tiles[i / tile_cells(0)];
    const Tile& th = magnetic_tiles[i / tile_cells(0)];
    const int ii = static_cast<int>(i % tile_cells(0)), x = te.first[0] + ii;
    if (x >= layout.cells[0]) {
      sums[i] = 0;
      return;
    }
    double sum = 0;
    const Lengths along_x = lengths_at(0, x);
    for (int jj = 0; jj < tile_cells(1) && te.first[1] + jj < layout.cells[1]; ++jj) {
      const Lengths along_y = lengths_at(1, te.first[1] + jj);
      const double both = along_x.own * along_y.own, both_dual = along_x.dual * along_y.dual,
                   own_dual = along_x.own * along_y.dual, dual_own = along_x.dual * along_y.own;
      for (int kk = 0; kk < tile_cells(2) && te.first[2] + kk < layout.cells[2]; ++kk) {
        const Lengths along_z = lengths_at(2, te.first[2] + kk);
        // A component of E has a cell's length along its own axis and dual ones along the others, of H the reverse.
        const double electric_volume[3] = {own_dual * along_z.dual, dual_own * along_z.dual, both_dual * along_z.own};
        const double magnetic_volume[3] = {dual_own * along_z.own, own_dual * along_z.own, both * along_z.dual};
        const Row row = row_of(layout, th, ii, jj, kk);
        Stored after[3];
        magnetic_after(th, row, layout.reals, after);
        for (int c = 0; c < 3; ++c) {
          const std::int64_t local = std::int64_t(c) * cells_of_tile + row.cell, n = c * layout.reals + row.n;
          const int me = te.classes >= 0 ? int(electric_class_of[std::int64_t(te.classes) * 3 * cells_of_tile + local])
                                         : te.medium_class;
          const int mh = th.classes >= 0 ? int(magnetic_class_of[std::int64_t(th.classes) * 3 * cells_of_tile + local])
                                         : th.medium_class;
          const double e = double(electric[n]);
          sum += permittivity[me] * electric_volume[c] * e * e + magnetic_weight * permeability[mh] *
                                                                     magnetic_volume[c] * double(magnetic_before[n]) *
                                                                     double(after[c]);
        }
      }
    }
    sums[i] = sum;
  }

 private:
  struct Lengths {  // of a cell, and between the centres at its sides, m
    double own, dual;
  };
  DGTD_HOST_DEVICE Lengths lengths_at(int axis, int cell) const {
    return {double(length[axis][cell]), double(dual_length[axis][cell])};
  }
};

struct ValueAt {
  const double* values;
  DGTD_HOST_DEVICE double operator()(std::int64_t i) const { return values[i]; }
};
struct SetZero {
  double* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = 0; }
};

template <class Stored, class Backend>
class EnergySum {
  using Real = arithmetic_t<Stored>;

 public:
  EnergySum(const Discretisation<Real>& d, const Backend& backend, parallel::Storage& storage) : backend_(backend) {
    for (int a = 0; a < 3; ++a) {
      std::vector<Real> length(static_cast<std::size_t>(d.layout.tiles[a]) * tile_cells(a), Real(0)), dual = length;
      for (int i = 0; i < d.layout.cells[a]; ++i) {
        length[i] = static_cast<Real>(d.nodes[a][i + 2] - d.nodes[a][i + 1]);
        dual[i] = static_cast<Real>(d.centres[a][i + 1] - d.centres[a][i]);
        if (d.electric.axis[a].inverse_distance[i] != 0)
          dual[i] = static_cast<Real>(1 / d.electric.axis[a].inverse_distance[i]);
      }
      length_[a] = storage.copy(length);
      dual_length_[a] = storage.copy(dual);
    }
    // From keep and rate follows eps_r: rate = c dt / eps / (1 + x), keep = (1 - x) / (1 + x), so 1 + x = 2 / (1 +
    // keep).
    const auto constants = [&](const std::vector<MediumClass<Real>>& classes) {
      std::vector<double> relative;
      for (const auto& m : classes)
        relative.push_back(m.rate == 0 ? 0 : speed_of_light * d.time_step / double(m.rate) * (1 + double(m.keep)) / 2);
      return storage.copy(relative);
    };
    permittivity_ = constants(d.electric.classes);
    permeability_ = constants(d.magnetic.classes);
    const auto in_order = [&](const HalfStepArrays<Real>& half) {
      std::vector<Tile> tiles;
      for (const auto& b : half.batches) tiles.insert(tiles.end(), b.tiles.begin(), b.tiles.end());
      std::sort(tiles.begin(), tiles.end(), before_in_memory);
      return storage.copy(tiles);
    };
    electric_tiles_ = in_order(d.electric);
    magnetic_tiles_ = in_order(d.magnetic);
    sums_ = storage.zeros<double>(electric_tiles_.size() * tile_cells(0));
    total_ = storage.zeros<double>(1);
  }

  /// 1/2 (E eps E + H_before mu H_after) over this rank, J, of fields in units of 1 V/m. views: of both half steps;
  /// electric, magnetic_before: [3][reals]; magnetic_after: StoredMagnetic, AdvancedMagnetic; magnetic_unit: H's unit
  /// over that of E.
  template <class Magnetic>
  double operator()(const HalfStepView<Stored>& electric_view, const HalfStepView<Stored>& magnetic_view,
                    const Stored* electric, const Stored* magnetic_before, const Magnetic& magnetic_after,
                    double magnetic_unit) {
    SumEnergy<Stored, Magnetic> body{electric,
                                     magnetic_before,
                                     magnetic_after,
                                     electric_view.layout,
                                     electric_view.class_of,
                                     magnetic_view.class_of,
                                     electric_tiles_.read(),
                                     magnetic_tiles_.read(),
                                     {},
                                     {},
                                     permittivity_.read(),
                                     permeability_.read(),
                                     magnetic_unit * magnetic_unit,
                                     sums_.write()};
    for (int a = 0; a < 3; ++a) {
      body.length[a] = length_[a].read();
      body.dual_length[a] = dual_length_[a].read();
    }
    const auto n = static_cast<std::int64_t>(sums_.size());
    backend_.for_each(n, body);
    backend_.for_each(1, SetZero{total_.write()});
    backend_.add_sum(parallel::Queue::main, n, ValueAt{sums_.read()}, 1.0, total_.write());
    return 0.5 * vacuum_permittivity * parallel::sum_of(total_);
  }

 private:
  const Backend& backend_;
  parallel::Array<Real> length_[3], dual_length_[3];  // SumEnergy
  parallel::Array<double> permittivity_, permeability_;
  parallel::Array<Tile> electric_tiles_, magnetic_tiles_;
  parallel::Array<double> sums_, total_;  // [tile][32]; [1]
};

}  // namespace dgtd::fdtd
