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

/// H of a row's cells after the half step that made it from the H before.
template <class Stored>
struct StoredMagnetic {
  const Stored* magnetic;  // [3][reals]
  template <int lanes>
  DGTD_HOST_DEVICE void operator()(const Tile&, const Row& row, std::int64_t reals, Stored (&u)[3][lanes]) const {
    for (int c = 0; c < 3; ++c) for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = magnetic[c * reals + row.n + l]; });
  }
};
/// The same, computed here and not stored; the present H is the one before.
template <class Stored, class Arithmetic>
struct AdvancedMagnetic {
  HalfStepView<Stored> v;
  template <int lanes>
  DGTD_HOST_DEVICE void operator()(const Tile& tile, const Row& row, std::int64_t, Stored (&u)[3][lanes]) const {
    if (tile.layer[0] < 0 && tile.layer[1] < 0 && tile.layer[2] < 0) choose<false>(tile, row, u);
    else choose<true>(tile, row, u);
  }

 private:
  template <bool layered, int lanes>
  DGTD_HOST_DEVICE void choose(const Tile& tile, const Row& row, Stored (&u)[3][lanes]) const {
    if (tile.classes >= 0) advance<layered, true>(tile, row, u);
    else advance<layered, false>(tile, row, u);
  }
  template <bool layered, bool mixed, int lanes>
  DGTD_HOST_DEVICE void advance(const Tile& tile, const Row& row, Stored (&u)[3][lanes]) const {
    Arithmetic advanced[3][lanes];
    constexpr RowKind kind{.direction = Difference::forward, .layered = layered, .mixed = mixed, .stores_psi = false};
    UpdateField<Stored, kind, Arithmetic>{v}.advance(tile, row, advanced);
    for (int c = 0; c < 3; ++c)
      for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = as_stored<Stored>(advanced[c][l]); });
  }
};

/// Twice the energy over eps0 of each row of a tile's cells along z, with the same additions for any number of lanes.
/// One lane: i is such a row, of tile i / 256; else a row of tiles along x. Magnetic: of the two above.
template <class Stored, class Magnetic, int lanes>
struct SumEnergy {
  using Real = arithmetic_t<Stored>;
  const Stored* electric;         // [3][reals] E
  const Stored* magnetic_before;  // [3][reals] H a step before
  Magnetic magnetic_after;
  GridLayout layout;
  const std::uint16_t *electric_class_of, *magnetic_class_of;  // HalfStepView
  const Tile *electric_tiles, *magnetic_tiles;                 // the same cells in the same order
  const int* row_begin;                                        // [rows of tiles + 1] their first tiles
  const Real *length[3], *dual_length[3];                      // [padded cells] m
  const double *permittivity, *permeability;                   // [class] relative
  double magnetic_weight;                                      // the square of H's unit over that of E
  double* sums;                                                // [tile][8][32], along y and x
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    if constexpr (lanes == 1) {  // warps beside each other read the same rows at about the same time
      const Tile &te = electric_tiles[i / cells_of_tile_plane], &th = magnetic_tiles[i / cells_of_tile_plane];
      const int ii = static_cast<int>(i % tile_cells(0)), jj = static_cast<int>(i / tile_cells(0)) % tile_cells(1);
      double sum[1] = {0};
      if (te.first[0] + ii < layout.cells[0] && te.first[1] + jj < layout.cells[1]) {
        const Lengths along_y = lengths_at(1, te.first[1] + jj);
        for_planes(te, [&](int kk, const Lengths& along_z)
                           DGTD_INLINE { add_cells(te, th, ii, jj, kk, along_y, along_z, sum); });
      }
      sums[i] = sum[0];
    } else {  // memory is read in long runs
      const int first = row_begin[i], end = row_begin[i + 1];
      const auto sums_of = [&](int t) { return sums + std::int64_t(t) * cells_of_tile_plane; };
      std::fill(sums_of(first), sums_of(end), 0.0);
      const Tile& row = electric_tiles[first];
      const int rows = std::min(tile_cells(1), layout.cells[1] - row.first[1]);
      for_planes(row, [&](int kk, const Lengths& along_z) {
        for (int jj = 0; jj < rows; ++jj) {
          const Lengths along_y = lengths_at(1, row.first[1] + jj);
          for (int t = first; t < end; ++t)
            add_cells(electric_tiles[t], magnetic_tiles[t], 0, jj, kk, along_y, along_z, sums_of(t) + jj * lanes);
        }
      });
      for (int jj = 0; jj < rows; ++jj)  // beyond the block
        std::fill(sums_of(end - 1) + jj * lanes + layout.cells[0] - electric_tiles[end - 1].first[0],
                  sums_of(end - 1) + (jj + 1) * lanes, 0.0);
    }
  }

 private:
  struct Lengths {  // of a cell, and between the centres at its sides, m
    double own, dual;
  };
  DGTD_HOST_DEVICE Lengths lengths_at(int axis, int cell) const {
    return {double(length[axis][cell]), double(dual_length[axis][cell])};
  }
  template <class F>
  DGTD_HOST_DEVICE void for_planes(const Tile& tile, const F& f) const {
    for (int kk = 0; kk < tile_cells(2) && tile.first[2] + kk < layout.cells[2]; ++kk)
      f(kk, lengths_at(2, tile.first[2] + kk));
  }
  // Adds the energy of a row from lane ii on, in the tile of E and that of H; sum: [lanes].
  DGTD_HOST_DEVICE void add_cells(const Tile& te, const Tile& th, int ii, int jj, int kk, const Lengths& along_y,
                                  const Lengths& along_z, double* sum) const {
    const Real *const own_x = length[0] + te.first[0] + ii, *const dual_x = dual_length[0] + te.first[0] + ii;
    const Row row = row_of(layout, th, ii, jj, kk);
    Stored after[3][lanes];
    magnetic_after(th, row, layout.reals, after);
    double of_electric[3][lanes], of_magnetic[3][lanes];  // relative permittivity, permeability
    static_for<3>([&](auto c) DGTD_INLINE {
      of_components(permittivity, electric_class_of, te, c, row.cell, of_electric[c]);
      of_components(permeability, magnetic_class_of, th, c, row.cell, of_magnetic[c]);
    });
    for_lanes<lanes>([&](int l) DGTD_INLINE {
      const double own = double(own_x[l]), dual = double(dual_x[l]);
      const double both = own * along_y.own, both_dual = dual * along_y.dual, own_dual = own * along_y.dual,
                   dual_own = dual * along_y.own;
      // A component of E has a cell's length along its own axis and dual ones along the others, of H the reverse.
      const double electric_volume[3] = {own_dual * along_z.dual, dual_own * along_z.dual, both_dual * along_z.own};
      const double magnetic_volume[3] = {dual_own * along_z.own, own_dual * along_z.own, both * along_z.dual};
      static_for<3>([&](auto c) DGTD_INLINE {
        const std::int64_t n = c * layout.reals + row.n + l;
        const double e = double(electric[n]);
        sum[l] += of_electric[c][l] * electric_volume[c] * e * e + magnetic_weight * of_magnetic[c][l] *
                                                                       magnetic_volume[c] * double(magnetic_before[n]) *
                                                                       double(after[c][l]);
      });
    });
  }
  // Values of the classes of a row's components c.
  DGTD_HOST_DEVICE void of_components(const double* of_class, const std::uint16_t* class_of, const Tile& tile, int c,
                                      int cell, double (&values)[lanes]) const {
    if (tile.classes >= 0) {
      const std::uint16_t* const classes = class_of + (std::int64_t(tile.classes) * 3 + c) * cells_of_tile + cell;
      for_lanes<lanes>([&](int l) DGTD_INLINE { values[l] = of_class[classes[l]]; });
    } else {
      for_lanes<lanes>([&](int l) DGTD_INLINE { values[l] = of_class[tile.medium_class]; });
    }
  }
};

/// Sums with stride `count` into the first `count` entries. Several values are read at once: a device's
/// threads would wait for each.
struct FoldSums {
  static constexpr int together = 8;
  double* sums;  // [n]
  std::int64_t n, count;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    double sum = sums[i];
    std::int64_t at = i + count;
    for (; at + (together - 1) * count < n; at += together * count) {
      double values[together];
      for (int k = 0; k < together; ++k) values[k] = sums[at + k * count];
      for (int k = 0; k < together; ++k) sum += values[k];
    }
    for (; at < n; at += count) sum += sums[at];
    sums[i] = sum;
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
    // Components in series have no permittivity of their own, and are few: they do not count.
    const auto constants = [&](const std::vector<ClassMedium>& media) {
      std::vector<double> relative;
      for (const ClassMedium& m : media) relative.push_back(std::max(m.relative, 0.0));
      return storage.copy(relative);
    };
    permittivity_ = constants(d.electric.media);
    permeability_ = constants(d.magnetic.media);
    const auto in_order = [&](const HalfStepArrays<Real>& half) {
      std::vector<Tile> tiles;
      for (const auto& b : half.batches) tiles.insert(tiles.end(), b.tiles.begin(), b.tiles.end());
      std::sort(tiles.begin(), tiles.end(), before_in_memory);
      return storage.copy(tiles);
    };
    electric_tiles_ = in_order(d.electric);
    magnetic_tiles_ = in_order(d.magnetic);
    std::vector<int> row_begin;
    for (std::size_t t = 0; t < electric_tiles_.size(); ++t)
      if (electric_tiles_.host()[t].first[0] == 0) row_begin.push_back(static_cast<int>(t));
    row_begin.push_back(static_cast<int>(electric_tiles_.size()));
    row_begin_ = storage.copy(row_begin);
    sums_ = storage.zeros<double>(electric_tiles_.size() * cells_of_tile_plane);
    total_ = storage.zeros<double>(1);
  }

  /// 1/2 (E eps E + H_before mu H_after) over this rank, J, of fields in units of 1 V/m. views: of both half steps;
  /// electric, magnetic_before: [3][reals]; magnetic_after: StoredMagnetic, AdvancedMagnetic; magnetic_unit: H's unit
  /// over that of E.
  template <class Magnetic>
  double operator()(const HalfStepView<Stored>& electric_view, const HalfStepView<Stored>& magnetic_view,
                    const Stored* electric, const Stored* magnetic_before, const Magnetic& magnetic_after,
                    double magnetic_unit) {
    constexpr int lanes = Backend::cells_together;
    SumEnergy<Stored, Magnetic, lanes> body{electric,
                                            magnetic_before,
                                            magnetic_after,
                                            electric_view.layout,
                                            electric_view.class_of,
                                            magnetic_view.class_of,
                                            electric_tiles_.read(),
                                            magnetic_tiles_.read(),
                                            row_begin_.read(),
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
    backend_.for_each(lanes == 1 ? n : static_cast<std::int64_t>(row_begin_.size()) - 1, body);
    const std::int64_t folded = std::min<std::int64_t>(n, 1 << 15);  // the rest is added by one thread block
    backend_.for_each(folded, FoldSums{sums_.write(), n, folded});
    backend_.for_each(1, SetZero{total_.write()});
    backend_.add_sum(parallel::Queue::main, folded, ValueAt{sums_.read()}, 1.0, total_.write());
    return 0.5 * vacuum_permittivity * parallel::sum_of(total_);
  }

 private:
  const Backend& backend_;
  parallel::Array<Real> length_[3], dual_length_[3];  // SumEnergy
  parallel::Array<double> permittivity_, permeability_;
  parallel::Array<Tile> electric_tiles_, magnetic_tiles_;
  parallel::Array<int> row_begin_;        // SumEnergy
  parallel::Array<double> sums_, total_;  // SumEnergy; [1]
};

}  // namespace dgtd::fdtd
