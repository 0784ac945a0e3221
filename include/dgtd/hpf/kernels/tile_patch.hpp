#pragma once
// The five-point stencil for today's GPUs: a block of threads holds a tile of nodes in registers for several steps,
// each thread a patch of 4 columns and `rows` rows. In a step a patch needs the columns of its neighbours in the warp
// (shuffles) and the rows of the warps below and above (shared memory). Tiles overlap: axis_cut.hpp.
#include "dgtd/hpf/kernels/axis_cut.hpp"
#include "dgtd/hpf/kernels/update_node.hpp"

namespace dgtd::hpf {

inline constexpr int patch_columns = 4, tile_columns = 32 * patch_columns, tile_rows = 64;

/// `height_of_tile`: rows of a tile.
template <class Real, int height_of_tile = tile_rows>
struct TileCut {
  AxisCut x, y;
  TileCut(const PlaneView<Real>& v, int rows_of_patch, int steps)
      : x(patch_columns, tile_columns, steps, !v.wrap_x, !v.wrap_x, v.width),
        y(rows_of_patch, height_of_tile, steps, v.wall[2] != Boundary::none, v.wall[3] != Boundary::none, v.height) {}
};

/// Walls that a tile meets. rows: only along x, none of them mirrors, and no patch has nodes of two.
enum class TileWalls { none, rows, any };

template <class Real>
DGTD_HOST_DEVICE TileWalls walls_of_tile(const PlaneView<Real>& v, int column, int row, int height, int rows_of_patch) {
  if (!v.wrap_x && (column <= 0 || column + tile_columns >= v.width)) return TileWalls::any;
  const bool low = v.wall[2] != Boundary::none && row <= 0,
             high = v.wall[3] != Boundary::none && row + height >= v.height;
  if (!low && !high) return TileWalls::none;
  const bool hold = (!low || is_fixed(v.wall[2])) && (!high || is_fixed(v.wall[3])) && v.height > rows_of_patch;
  return hold ? TileWalls::rows : TileWalls::any;
}

/// The columns of a patch in a row, where memory has them aligned: loads and stores of 16 bytes.
template <class Real>
struct alignas(16) PatchColumns {
  Real at[patch_columns];
};

/// Nodes that do not exist, and those on walls of type zero or Mur, have Cb = 0 and an increment of zero during the
/// update of rows: it leaves their psi as it is, and needs no test. one_medium: rows have the same coefficients; that
/// is for tiles of one class (has_class_of) and walls of kinds none or rows, whose psi is saved during the update.
template <class Real, int rows, bool lossy, bool one_medium = false>
struct TilePatch {
  static constexpr int columns = patch_columns, height = rows, media = one_medium ? 1 : rows;
  Real psi[rows][columns], increment[rows][columns], Cb[media][columns], Ca[lossy ? media : 1][lossy ? columns : 1];
  Real saved[one_medium ? columns : 1];
  Real below[columns];           // psi of the row below before the step
  int column, row;               // of psi[0][0]
  int first_source, end_source;  // only these of the view's sources can be in the rows of the patch

  DGTD_HOST_DEVICE static int clamped(int i, int low, int high) { return i < low ? low : i < high ? i : high - 1; }
  DGTD_HOST_DEVICE static int existing_row(const PlaneView<Real>& v, int j) {
    return clamped(j, v.low_row(), v.high_row());
  }
  DGTD_HOST_DEVICE static int wrapped(const PlaneView<Real>& v, int i) {
    if (!v.wrap_x) return i;
    return i < 0 ? i + v.width : i >= v.width ? i - v.width : i;
  }

  /// first_of_tile, last_of_tile: whether the first or the last column is the tile's; it stays as it is, so that the
  /// patch needs nothing beyond it.
  DGTD_HOST_DEVICE void load(const PlaneView<Real>& v, int first_column, int first_row, bool first_of_tile,
                             bool last_of_tile) {
    column = first_column, row = first_row;
    if constexpr (one_medium) {
      load_nodes<true>(v, first_of_tile, last_of_tile);
    } else {
      if (is_aligned(v, column)) load_nodes<true>(v, first_of_tile, last_of_tile);
      else load_nodes<false>(v, first_of_tile, last_of_tile);
    }
    find_sources(v);
  }

  /// Whether memory has the columns of a patch side by side, and aligned.
  DGTD_HOST_DEVICE static bool is_aligned(const PlaneView<Real>& v, int column) {
    return column % columns == 0 && (!v.wrap_x || v.width % columns == 0);
  }
  /// Whether a patch is aligned and has the nodes of one class only, that of node (i, j) or the nearest to it. Walls
  /// are not looked for.
  DGTD_HOST_DEVICE static bool has_class_of(const PlaneView<Real>& v, int i, int j, int column, int row) {
    const int at = wrapped(v, column);
    if (!is_aligned(v, column) || at < 0 || at >= v.width) return false;
    if (v.planes == 0) return true;
    const int number = v.class_at(clamped(wrapped(v, i), 0, v.width), existing_row(v, j));
    bool same = true;
    DGTD_NO_UNROLL
    for (int k = 0; k < v.planes; ++k) {
      const std::uint32_t all = (1u << columns) - 1, expected = number >> k & 1 ? all : 0;
      static_for<rows>([&](auto r) DGTD_INLINE {
        const std::int64_t place = std::int64_t(existing_row(v, row + r) + v.ghost_rows) * v.planes + k;
        same = same && (v.masks[place * v.words + at / 32] >> (at % 32) & all) == expected;
      });
    }
    return same;
  }

  /// Whether a wall of type mirror touches this thread's nodes: update_row<true, …> then.
  DGTD_HOST_DEVICE bool at_mirror(const PlaneView<Real>& v) const {
    return at_wall(v, [](Boundary wall) { return !is_fixed(wall); });
  }
  /// Whether another wall does: hold_walls and move_walls then.
  DGTD_HOST_DEVICE bool at_fixed(const PlaneView<Real>& v) const {
    return at_wall(v, [](Boundary wall) { return is_fixed(wall); });
  }

  /// Row r, rows in turn from 0, once `below` is set: psi of the columns beside the patch and, for the last row, of the
  /// row above it.
  template <bool mirrors, int r>
  DGTD_HOST_DEVICE void update_row(const PlaneView<Real>& v, Real left, Real right, const Real* above_patch) {
    Real old[columns];
    static_for<columns>([&](auto c) DGTD_INLINE { old[c] = psi[r][c]; });
    static_for<columns>([&](auto c) DGTD_INLINE {
      Real down = below[c], up, west = c > 0 ? old[(c + columns - 1) % columns] : left,
           east = c + 1 < columns ? old[(c + 1) % columns] : right;
      if constexpr (r + 1 < rows) up = psi[r + 1][c];
      else up = above_patch[c];
      if constexpr (mirrors) {
        if (row + r == 0 && v.wall[2] == Boundary::mirror) down = up;
        if (row + r == v.height - 1 && v.wall[3] == Boundary::mirror) up = down;
        if (!v.wrap_x && column + c == 0) west = east;
        if (!v.wrap_x && column + c == v.width - 1) east = west;
      }
      increment[r][c] =
          new_increment<lossy>(increment[r][c], difference<true>(old[c], down + up, west + east, v.ratio, v.centre),
                               Cb[r % media][c], Ca[lossy ? r % media : 0][lossy ? int(c) : 0]);
      psi[r][c] = old[c] + increment[r][c];
    });
    static_for<columns>([&](auto c) DGTD_INLINE { below[c] = old[c]; });
  }

  DGTD_HOST_DEVICE void add_sources(const PlaneView<Real>& v, int number) {
    DGTD_NO_UNROLL
    for (int d = first_source; d < end_source; ++d) {
      const RowSource<Real> source = v.sources[d];
      const Real value = v.source_at(source, number);
      if (source.row < row || source.row >= row + rows) continue;
      bool here[columns];
      static_for<columns>([&](auto c) DGTD_INLINE {
        const int i = wrapped(v, column + c);
        here[c] = i >= source.first && i < source.last;
      });
      visit_at<0, rows>(source.row - row, [&](auto r) DGTD_INLINE {
        static_for<columns>([&](auto c) DGTD_INLINE {
          if (!here[c]) return;
          const Real change = Cb[r % media][c] * value;
          increment[r][c] += change;
          psi[r][c] += change;
        });
      });
    }
  }

  /// Before the rows: prepares the nodes of walls of type zero or Mur.
  DGTD_HOST_DEVICE void hold_walls(const PlaneView<Real>& v) {
    static_for<2>([&](auto side) DGTD_INLINE {
      const int r = (side == 0 ? 0 : v.height - 1) - row;
      if (!is_fixed(v.wall[2 + side]) || r < 0 || r >= rows) return;
      visit_at<0, rows>(r, [&](auto k) DGTD_INLINE {
        static_for<columns>([&](auto c) DGTD_INLINE {
          if constexpr (one_medium) saved[c] = psi[k][c];
          else increment[k][c] = 0;
        });
      });
    });
    if constexpr (one_medium) return;
    static_for<2>([&](auto side) DGTD_INLINE {
      const int c = (side == 0 ? 0 : v.width - 1) - column;
      if (!is_fixed(v.wall[side]) || c < 0 || c >= columns) return;
      visit_at<0, columns>(
          c, [&](auto k) DGTD_INLINE { static_for<rows>([&](auto r) DGTD_INLINE { increment[r][k] = 0; }); });
    });
  }

  /// After the rows and their sources: the nodes of those walls, Mur's as UpdateWall moves them.
  DGTD_HOST_DEVICE void move_walls(const PlaneView<Real>& v) {
    static_for<2>([&](auto side) DGTD_INLINE {
      const int j = side == 0 ? 0 : v.height - 1;
      if (!(one_medium ? is_fixed(v.wall[2 + side]) : v.wall[2 + side] == Boundary::mur) || j < row || j >= row + rows)
        return;
      Real factor[columns];
      bool moves[columns];
      static_for<columns>([&](auto c) DGTD_INLINE {
        const int i = wrapped(v, column + c);
        moves[c] = i >= 0 && i < v.width && !v.fixed_column(i) && v.wall[2 + side] == Boundary::mur;
        factor[c] = v.coefficients_at(moves[c] ? i : 0, j).mur_y;
      });
      visit_at<0, rows>(j - row, [&](auto r) DGTD_INLINE {
        constexpr int inner = side == 0 ? (r + 1) % rows : (r + rows - 1) % rows;
        static_for<columns>([&](auto c) DGTD_INLINE {
          // The sum as that of the update with an increment of zero.
          if constexpr (one_medium) increment[r][c] = 0, psi[r][c] = saved[c] + increment[r][c];
          if (!moves[c]) return;
          increment[r][c] = mur_increment(psi[r][c], psi[inner][c], increment[inner][c], factor[c]);
          psi[r][c] += increment[r][c];
        });
      });
    });
    if constexpr (one_medium) return;
    static_for<2>([&](auto side) DGTD_INLINE {
      const int i = side == 0 ? 0 : v.width - 1;
      if (v.wall[side] != Boundary::mur || i < column || i >= column + columns) return;
      Real factor[rows];
      bool moves[rows];
      static_for<rows>([&](auto r) DGTD_INLINE {
        const int j = row + r;
        moves[r] = j >= v.low_row() && j < v.high_row() && !(j == 0 && v.wall[2] == Boundary::zero) &&
                   !(j == v.height - 1 && v.wall[3] == Boundary::zero);
        factor[r] = v.coefficients_at(i, moves[r] ? j : 0).mur_x;
      });
      visit_at<0, columns>(i - column, [&](auto c) DGTD_INLINE {
        constexpr int inner = side == 0 ? (c + 1) % columns : (c + columns - 1) % columns;
        static_for<rows>([&](auto r) DGTD_INLINE {
          if (!moves[r]) return;
          increment[r][c] = mur_increment(psi[r][c], psi[r][inner], increment[r][inner], factor[r]);
          psi[r][c] += increment[r][c];
        });
      });
    });
  }

  DGTD_HOST_DEVICE void store(const PlaneView<Real>& v, int first_column, int end_column, int first_row,
                              int end_row) const {
    if (column % columns == 0 && first_column % columns == 0 && end_column % columns == 0) {
      if (column < first_column || column >= end_column) return;
      static_for<rows>([&](auto r) DGTD_INLINE {
        if (row + r < first_row || row + r >= end_row) return;
        const std::int64_t n = v.index(column, row + r);
        PatchColumns<Real> moved, change;
        static_for<columns>([&](auto c) DGTD_INLINE { moved.at[c] = psi[r][c], change.at[c] = increment[r][c]; });
        *reinterpret_cast<PatchColumns<Real>*>(v.new_psi + n) = moved;
        *reinterpret_cast<PatchColumns<Real>*>(v.new_increment + n) = change;
      });
    } else {
      static_for<rows>([&](auto r) DGTD_INLINE {
        static_for<columns>([&](auto c) DGTD_INLINE {
          const int i = column + c, j = row + r;
          if (i < first_column || i >= end_column || j < first_row || j >= end_row) return;
          const std::int64_t n = v.index(i, j);
          v.new_psi[n] = psi[r][c];
          v.new_increment[n] = increment[r][c];
        });
      });
    }
  }

 private:
  template <class Predicate>
  DGTD_HOST_DEVICE bool at_wall(const PlaneView<Real>& v, const Predicate& counts) const {
    const auto meets = [](int node, int first, int count) { return node >= first && node < first + count; };
    return (v.wall[2] != Boundary::none && counts(v.wall[2]) && meets(0, row, rows)) ||
           (v.wall[3] != Boundary::none && counts(v.wall[3]) && meets(v.height - 1, row, rows)) ||
           (!v.wrap_x && ((counts(v.wall[0]) && meets(0, column, columns)) ||
                          (counts(v.wall[1]) && meets(v.width - 1, column, columns))));
  }

  // All loads without a branch between them, so that they are under way together: where a node does not exist, those of
  // one that does. aligned: the columns are side by side in memory.
  template <bool aligned>
  DGTD_HOST_DEVICE void load_nodes(const PlaneView<Real>& v, bool first_of_tile, bool last_of_tile) {
    const int low = v.low_row(), high = v.high_row();
    int at[columns];
    bool inside[columns], moves[columns];
    static_for<columns>([&](auto c) DGTD_INLINE {
      const int i = wrapped(v, column + c);
      const bool held = (c == 0 && first_of_tile && (v.wrap_x || i > 0)) ||
                        (c == columns - 1 && last_of_tile && (v.wrap_x || i < v.width - 1));
      inside[c] = one_medium || (i >= 0 && i < v.width);
      moves[c] = inside[c] && !v.fixed_column(i) && !held;
      at[c] = i < 0 ? 0 : i < v.width ? i : aligned ? (v.width - 1) / columns * columns + int(c) : v.width - 1;
    });
    load_coefficients(v, at);
    static_for<rows>([&](auto r) DGTD_INLINE {
      const std::int64_t n = v.index(0, existing_row(v, row + r));
      if constexpr (aligned) {
        const auto p = *reinterpret_cast<const PatchColumns<Real>*>(v.psi + n + at[0]),
                   q = *reinterpret_cast<const PatchColumns<Real>*>(v.increment + n + at[0]);
        static_for<columns>([&](auto c) DGTD_INLINE { psi[r][c] = p.at[c], increment[r][c] = q.at[c]; });
      } else {
        static_for<columns>(
            [&](auto c) DGTD_INLINE { psi[r][c] = v.psi[n + at[c]], increment[r][c] = v.increment[n + at[c]]; });
      }
    });
    static_for<rows>([&](auto r) DGTD_INLINE {
      const bool exists = one_medium || (row + r >= low && row + r < high && !v.fixed_row(row + r));
      static_for<columns>([&](auto c) DGTD_INLINE {
        if (!inside[c]) psi[r][c] = 0;  // the end of a row in memory may hold anything
        if (exists && moves[c]) return;
        increment[r][c] = 0, Cb[r % media][c] = 0;
        if constexpr (lossy) Ca[r % media][c] = 1;
      });
    });
  }

  DGTD_HOST_DEVICE void load_coefficients(const PlaneView<Real>& v, const int (&at)[columns]) {
    if (one_medium || v.planes == 0) {
      const Coefficients<Real> all = v.coefficients[one_medium ? v.class_at(at[0], existing_row(v, row)) : 0];
      static_for<media>(
          [&](auto r) DGTD_INLINE { static_for<columns>([&](auto c) DGTD_INLINE { set_coefficients<r, c>(all); }); });
    } else {
      int number[rows][columns];
      static_for<rows>([&](auto r) DGTD_INLINE { static_for<columns>([&](auto c) DGTD_INLINE { number[r][c] = 0; }); });
      DGTD_NO_UNROLL
      for (int k = 0; k < v.planes; ++k)
        static_for<rows>([&](auto r) DGTD_INLINE {
          const std::uint32_t* const words =
              v.masks + (std::int64_t(existing_row(v, row + r) + v.ghost_rows) * v.planes + k) * v.words;
          static_for<columns>([&](auto c)
                                  DGTD_INLINE { number[r][c] |= int(words[at[c] / 32] >> (at[c] % 32) & 1u) << k; });
        });
      static_for<media>([&](auto r) DGTD_INLINE {
        static_for<columns>([&](auto c) DGTD_INLINE { set_coefficients<r, c>(v.coefficients[number[r][c]]); });
      });
    }
  }
  template <int r, int c>
  DGTD_HOST_DEVICE void set_coefficients(const Coefficients<Real>& of_class) {
    Cb[r][c] = of_class.Cb;
    if constexpr (lossy) Ca[r][c] = of_class.Ca;
  }

  DGTD_HOST_DEVICE void find_sources(const PlaneView<Real>& v) {
    first_source = 0, end_source = 0;
    if (v.source_high < row || v.source_low >= row + rows) return;
    DGTD_NO_UNROLL
    for (int d = 0; d < v.source_count; ++d) {
      const int j = v.sources[d].row;
      if (j < row || j >= row + rows) continue;
      if (end_source == 0) first_source = d;
      end_source = d + 1;
    }
  }
};

}  // namespace dgtd::hpf
