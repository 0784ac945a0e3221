#pragma once
// The energy of the cells of tiles. With lengths d of a cell and D between the centres at its sides, of one cell
//   2 W / eps0 = d_x (eps_x D_y D_z E_x^2 + mu_y D_y d_z H_y H_y' + mu_z d_y D_z H_z H_z')
//              + D_x (eps_y d_y D_z E_y^2 + eps_z D_y d_z E_z^2 + mu_x d_y d_z H_x H_x'),
// H a half step before E and H' one after it: a component of E has a cell's length along its own axis and D along the
// others, of H the reverse. What no cell of a row changes is multiplied once per row.
#include <algorithm>
#include <type_traits>

#include "dgtd/fdtd/kernels/update_packs.hpp"

namespace dgtd::fdtd {

/// H of a row's cells after the half step that made it from the H before.
template <class Stored>
struct StoredMagnetic {
  const Stored* magnetic;  // [3][reals]
  template <int lanes>
  DGTD_HOST_DEVICE void operator()(const Tile&, const Row& row, std::int64_t reals, Stored (&u)[3][lanes]) const {
    for (int c = 0; c < 3; ++c) for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = magnetic[c * reals + row.n + l]; });
  }
  /// AdvancedMagnetic: there is nothing to keep in registers.
  template <class Take>
  bool for_packs(const Tile&, const Row&, const Take&) const {
    return false;
  }
};
/// The same, computed here and not stored; the present H is the one before.
template <class Stored, class Arithmetic>
struct AdvancedMagnetic {
  HalfStepView<Stored> v;
  template <int lanes>
  DGTD_HOST_DEVICE void operator()(const Tile& tile, const Row& row, std::int64_t, Stored (&u)[3][lanes]) const {
    with_kind(tile, [&](auto kind) DGTD_INLINE {
      Arithmetic advanced[3][lanes];
      UpdateField<Stored, decltype(kind)::value, Arithmetic>{v}.advance(tile, row, advanced);
      for (int c = 0; c < 3; ++c)
        for_lanes<lanes>([&](int l) DGTD_INLINE { u[c][l] = as_stored<Stored>(advanced[c][l]); });
    });
  }
  /// take(lane, E, H before, H after) for the packs of a row (RowOfPacks::for_packs); false: it has none.
  template <class Take>
  bool for_packs(const Tile& tile, const Row& row, const Take& take) const {
    bool done = false;
    if constexpr (std::is_floating_point_v<Stored> && std::is_same_v<Stored, Arithmetic>)
      with_kind(tile, [&](auto kind) DGTD_INLINE {
        done = with_row_of_packs<decltype(kind)::value>(v, tile, row,
                                                        [&](const auto& packs) DGTD_INLINE { packs.for_packs(take); });
      });
    return done;
  }

 private:
  template <bool layered, bool mixed>
  struct Kind {
    static constexpr RowKind value{
        .direction = Difference::forward, .layered = layered, .mixed = mixed, .stores_psi = false};
  };
  template <class F>
  DGTD_HOST_DEVICE static void with_kind(const Tile& tile, const F& f) {
    const bool layered = tile.layer[0] >= 0 || tile.layer[1] >= 0 || tile.layer[2] >= 0, mixed = tile.classes >= 0;
    if (!layered && mixed) f(Kind<false, true>{});
    else if (!layered) f(Kind<false, false>{});
    else if (mixed) f(Kind<true, true>{});
    else f(Kind<true, false>{});
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

  // Cells that are computed at once: one, or as many as a vector register of the CPU holds.
  using Number = std::conditional_t<lanes == 1, double, parallel::Pack<double>>;
  static constexpr int lanes_of_number = lanes == 1 ? 1 : parallel::Pack<double>::lanes;

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
    const Row row = row_of(layout, th, ii, jj, kk);
    if (has_one_class(electric_class_of, te, row.cell) && has_one_class(magnetic_class_of, th, row.cell))
      add_row<1>(te, th, row, along_y, along_z, sum);
    else add_row<lanes>(te, th, row, along_y, along_z, sum);
  }
  // classes: of a component's cells, one for all of them or one each. A CPU keeps a pack of cells in registers from E
  // and the old H on where the row has packs (update_packs.hpp).
  template <int classes>
  DGTD_HOST_DEVICE void add_row(const Tile& te, const Tile& th, const Row& row, const Lengths& along_y,
                                const Lengths& along_z, double* sum) const {
    double of_electric[3][classes], of_magnetic[3][classes];  // relative permittivity, permeability
    static_for<3>([&](auto c) DGTD_INLINE {
      of_components(permittivity, electric_class_of, te, c, row.cell, of_electric[c]);
      of_components(permeability, magnetic_class_of, th, c, row.cell, of_magnetic[c]);
    });
    const double electric_area[3] = {along_y.dual * along_z.dual, along_y.own * along_z.dual,
                                     along_y.dual * along_z.own};
    const double magnetic_area[3] = {along_y.own * along_z.own, along_y.dual * along_z.own, along_y.own * along_z.dual};
    static_for<3>([&](auto c) DGTD_INLINE {
      for_lanes<classes>([&](int l) DGTD_INLINE {
        of_electric[c][l] *= electric_area[c];
        of_magnetic[c][l] *= magnetic_weight * magnetic_area[c];
      });
    });
    const auto add = [&](int l, const Number(&e)[3], const Number(&before)[3], const Number(&after)[3]) DGTD_INLINE {
      const auto of_lanes = [&](const double(&of)[classes]) DGTD_INLINE {
        if constexpr (classes == 1) return Number(of[0]);
        else return numbers(of + l);
      };
      const auto electric_part = [&](int c) DGTD_INLINE { return of_lanes(of_electric[c]) * (e[c] * e[c]); };
      const auto with_magnetic = [&](int c, Number to) DGTD_INLINE {
        return multiply_add(of_lanes(of_magnetic[c]), before[c] * after[c], to);
      };
      const Number own = numbers(length[0] + row.at[0] + l), dual = numbers(dual_length[0] + row.at[0] + l);
      const Number of_own = with_magnetic(1, with_magnetic(2, electric_part(0)));
      const Number of_dual = with_magnetic(0, multiply_add(of_lanes(of_electric[1]), e[1] * e[1], electric_part(2)));
      const Number total = multiply_add(own, of_own, multiply_add(dual, of_dual, numbers(sum + l)));
      if constexpr (lanes == 1) *sum = total;
      else parallel::store(sum + l, total);
    };
    if constexpr (lanes > 1 && std::is_floating_point_v<Stored>) {
      using Pack = parallel::Pack<Stored>;
      const auto add_pack = [&](int l, const Pack(&e)[3], const Pack(&before)[3], const Pack(&after)[3]) DGTD_INLINE {
        for (int i = 0; i < Pack::lanes / lanes_of_number; ++i)
          add(l + i * lanes_of_number, {part(e[0], i), part(e[1], i), part(e[2], i)},
              {part(before[0], i), part(before[1], i), part(before[2], i)},
              {part(after[0], i), part(after[1], i), part(after[2], i)});
      };
      if (magnetic_after.for_packs(th, row, add_pack)) return;
    }
    Stored after[3][lanes];
    magnetic_after(th, row, layout.reals, after);
    for (int l = 0; l < lanes; l += lanes_of_number) {
      Number now[3][3];
      static_for<3>([&](auto c) DGTD_INLINE {
        const std::int64_t n = c * layout.reals + row.n + l;
        now[0][c] = numbers(electric + n), now[1][c] = numbers(magnetic_before + n), now[2][c] = numbers(after[c] + l);
      });
      add(l, now[0], now[1], now[2]);
    }
  }
  // The i-th of the Numbers in a pack.
  static Number part(const parallel::Pack<Real>& pack, int i) {
    if constexpr (std::is_same_v<Real, double>) {
      return pack;
    } else {
      Real values[parallel::Pack<Real>::lanes];
      parallel::store(values, pack);
      return numbers(values + i * lanes_of_number);
    }
  }
  // Values next to each other in an array.
  template <class T>
  DGTD_HOST_DEVICE static Number numbers(const T* from) {
    if constexpr (lanes == 1) {
      return double(*from);
    } else if constexpr (std::is_same_v<T, double>) {
      return parallel::load(from);
    } else {
#if defined(__AVX512F__)
      if constexpr (std::is_same_v<T, float>) return (parallel::DoubleVector)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif defined(__AVX__)
      if constexpr (std::is_same_v<T, float>) return (parallel::DoubleVector)_mm256_cvtps_pd(_mm_loadu_ps(from));
#endif
      Number n;
      for (int l = 0; l < lanes_of_number; ++l) n.v[l] = double(from[l]);
      return n;
    }
  }
  // Whether each component has one class in all cells of a row.
  DGTD_HOST_DEVICE static bool has_one_class(const std::uint16_t* class_of, const Tile& tile, int cell) {
    if (lanes == 1 || tile.classes < 0) return true;
    std::uint16_t differences = 0;
    for (int c = 0; c < 3; ++c) {
      const std::uint16_t* const classes = class_of + (std::int64_t(tile.classes) * 3 + c) * cells_of_tile + cell;
      for (int l = 0; l < lanes; ++l) differences |= static_cast<std::uint16_t>(classes[l] ^ classes[0]);
    }
    return differences == 0;
  }
  // Values of the classes of a row's components c.
  template <int count>
  DGTD_HOST_DEVICE void of_components(const double* of_class, const std::uint16_t* class_of, const Tile& tile, int c,
                                      int cell, double (&values)[count]) const {
    if (tile.classes >= 0) {
      const std::uint16_t* const classes = class_of + (std::int64_t(tile.classes) * 3 + c) * cells_of_tile + cell;
      for_lanes<count>([&](int l) DGTD_INLINE { values[l] = of_class[classes[l]]; });
    } else {
      for_lanes<count>([&](int l) DGTD_INLINE { values[l] = of_class[tile.medium_class]; });
    }
  }
};

}  // namespace dgtd::fdtd
