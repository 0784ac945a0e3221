#pragma once
// The five-point stencil for today's GPUs: a block of threads holds a tile of nodes in registers for several steps,
// each thread a patch of 4 columns and `rows` rows. In a step a patch needs the columns of its neighbours in the warp
// (shuffles) and the rows of the warps below and above (shared memory). Tiles overlap: axis_cut.hpp.
#include "dgtd/hpf/kernels/axis_cut.hpp"
#include "dgtd/hpf/kernels/update_node.hpp"

namespace dgtd::hpf {

inline constexpr int patch_columns = 4, tile_columns = 32 * patch_columns, tile_rows = 64;

template <class Real>
struct TileCut {
  AxisCut x, y;
  TileCut(const PlaneView<Real>& v, int rows_of_patch, int steps)
      : x(patch_columns, tile_columns, steps, !v.wrap_x, !v.wrap_x, v.width),
        y(rows_of_patch, tile_rows, steps, v.wall[2] != Boundary::none, v.wall[3] != Boundary::none, v.height) {}
};

template <class Real, int rows, bool lossy>
struct TilePatch {
  static constexpr int columns = patch_columns;
  static_assert(rows * columns <= 32);
  Real psi[rows][columns], increment[rows][columns], Cb[rows][columns], Ca[lossy ? rows : 1][lossy ? columns : 1];
  Real below[columns];  // psi of the row below before the step
  int column, row;      // of psi[0][0]
  std::uint32_t fixed;  // bit r columns + c: a node that walls hold or move

  DGTD_HOST_DEVICE static int wrapped(const PlaneView<Real>& v, int i) {
    if (!v.wrap_x) return i;
    return i < 0 ? i + v.width : i >= v.width ? i - v.width : i;
  }

  DGTD_HOST_DEVICE void load(const PlaneView<Real>& v, int first_column, int first_row) {
    column = first_column, row = first_row, fixed = 0;
    const int low = v.low_row(), high = v.high_row();
    static_for<rows>([&](auto r) DGTD_INLINE {
      static_for<columns>([&](auto c) DGTD_INLINE {
        const int i = wrapped(v, column + c), j = row + r;
        psi[r][c] = 0, increment[r][c] = 0, Cb[r][c] = 0;
        if constexpr (lossy) Ca[r][c] = 1;
        if (i < 0 || i >= v.width || j < low || j >= high) return;
        const std::int64_t n = v.index(i, j);
        psi[r][c] = v.psi[n];
        increment[r][c] = v.increment[n];
        if (v.fixed_row(j) || v.fixed_column(i)) {
          fixed |= 1u << (r * columns + c);
          return;
        }
        const Coefficients<Real> of_class = v.coefficients_at(i, j);
        Cb[r][c] = of_class.Cb;
        if constexpr (lossy) Ca[r][c] = of_class.Ca;
      });
    });
  }

  /// Whether a wall touches this thread's nodes.
  DGTD_HOST_DEVICE bool at_wall(const PlaneView<Real>& v) const {
    return (v.wall[2] != Boundary::none && row <= 0) || (v.wall[3] != Boundary::none && row + rows >= v.height) ||
           (!v.wrap_x && (column <= 0 || column + columns >= v.width));
  }

  /// Row r, rows in turn from 0, once `below` is set: psi of the columns beside the patch and, for the last row, of the
  /// row above it.
  template <bool walls, int r>
  DGTD_HOST_DEVICE void update_row(const PlaneView<Real>& v, Real left, Real right, const Real* above_patch) {
    Real old[columns];
    static_for<columns>([&](auto c) DGTD_INLINE { old[c] = psi[r][c]; });
    static_for<columns>([&](auto c) DGTD_INLINE {
      Real down = below[c], up, west = c > 0 ? old[(c + columns - 1) % columns] : left,
           east = c + 1 < columns ? old[(c + 1) % columns] : right;
      if constexpr (r + 1 < rows) up = psi[r + 1][c];
      else up = above_patch[c];
      if constexpr (walls) {
        const int i = column + c, j = row + r;
        if (j == 0 && v.wall[2] == Boundary::mirror) down = up;
        if (j == v.height - 1 && v.wall[3] == Boundary::mirror) up = down;
        if (!v.wrap_x && i == 0) west = east;
        if (!v.wrap_x && i == v.width - 1) east = west;
        if (fixed >> (r * columns + c) & 1u) increment[r][c] = 0;
      }
      increment[r][c] =
          new_increment<lossy>(increment[r][c], difference<true>(old[c], down + up, west + east, v.ratio, v.centre),
                               Cb[r][c], Ca[lossy ? r : 0][lossy ? int(c) : 0]);
      psi[r][c] = old[c] + increment[r][c];
    });
    static_for<columns>([&](auto c) DGTD_INLINE { below[c] = old[c]; });
  }

  DGTD_HOST_DEVICE void add_sources(const PlaneView<Real>& v, int number) {
    for (int d = 0; d < v.source_count; ++d) {
      const RowSource<Real>& source = v.sources[d];
      if (source.row < row || source.row >= row + rows) continue;
      const Real value = v.source_at(source, number);
      visit_at<0, rows>(source.row - row, [&](auto r) DGTD_INLINE {
        static_for<columns>([&](auto c) DGTD_INLINE {
          const int i = wrapped(v, column + c);
          if (i < source.first || i >= source.last) return;
          const Real change = Cb[r][c] * value;
          increment[r][c] += change;
          psi[r][c] += change;
        });
      });
    }
  }

  /// Nodes of walls of type Mur, after the rows and their sources; as UpdateWall does it.
  DGTD_HOST_DEVICE void move_walls(const PlaneView<Real>& v) {
    static_for<2>([&](auto side) DGTD_INLINE {
      const int j = side == 0 ? 0 : v.height - 1;
      if (v.wall[2 + side] != Boundary::mur || j < row || j >= row + rows) return;
      visit_at<0, rows>(j - row, [&](auto r) DGTD_INLINE {
        constexpr int inner = side == 0 ? (r + 1) % rows : (r + rows - 1) % rows;
        static_for<columns>([&](auto c) DGTD_INLINE {
          const int i = wrapped(v, column + c);
          if (i < 0 || i >= v.width || v.fixed_column(i)) return;
          increment[r][c] = mur_increment(psi[r][c], psi[inner][c], increment[inner][c], v.coefficients_at(i, j).mur_y);
          psi[r][c] += increment[r][c];
        });
      });
    });
    static_for<2>([&](auto side) DGTD_INLINE {
      const int i = side == 0 ? 0 : v.width - 1;
      if (v.wall[side] != Boundary::mur || i < column || i >= column + columns) return;
      visit_at<0, columns>(i - column, [&](auto c) DGTD_INLINE {
        constexpr int inner = side == 0 ? (c + 1) % columns : (c + columns - 1) % columns;
        static_for<rows>([&](auto r) DGTD_INLINE {
          const int j = row + r;
          if (j < v.low_row() || j >= v.high_row()) return;
          if ((j == 0 && v.wall[2] == Boundary::zero) || (j == v.height - 1 && v.wall[3] == Boundary::zero)) return;
          increment[r][c] = mur_increment(psi[r][c], psi[r][inner], increment[r][inner], v.coefficients_at(i, j).mur_x);
          psi[r][c] += increment[r][c];
        });
      });
    });
  }

  DGTD_HOST_DEVICE void store(const PlaneView<Real>& v, int first_column, int end_column, int first_row,
                              int end_row) const {
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
};

}  // namespace dgtd::hpf
