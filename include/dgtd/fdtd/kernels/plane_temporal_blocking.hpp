#pragma once
// Several steps of a plane grid in one pass over memory (Yee's scheme, Golovashkin and Malysheva 2010, eq. (2)).
//
// A strip of columns is walked upwards row by row. When a row of time level n arrives, H of the row below it can go to
// n + 1/2 and E of that row to n + 1, and so that row arrives at level n + 1: after `steps` levels it is stored. A row
// more below and above, and a column more on either side, is needed per step. Rows are in registers (GPU) or in the
// first cache (CPU). The arithmetic is that of UpdateField (update_field.hpp), operation by operation.
//
// A `Line` is a strip's part of a row: the CPU's is an array, the GPU's four columns per thread of a warp. It has
//   Line::count columns, [l]; left() and right(), the values one column to that side;
//   at(column, f): f(l) where that column of the strip is; column(l): the strip's column of [l];
//   in_registers: the next row is loaded before it is needed, and outside the grid any cell's values are read.
//
// Few tasks have sources, and of these few rows. Rows without them take code of their own, which is short: on a GPU
// the instructions that a warp issues bound a pass (docs/notebook/2026-11-29-planes-short-code.md).
#include "dgtd/fdtd/kernels/curl.hpp"
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

/// The source terms of a half step in a row of a strip.
struct PlaneSourceRow {
  const PlaneSourceTerm* entry;
  const physics::WaveformShape* shape;
  double* work;  // [entry] J; null: the work is not counted
  int begin, end;
  int first_column;        // of the strip
  double time, time_step;  // of the half step, s
};

/// Adds the source terms of a row, as AddSourceTerm and AddWork of the engine, and the work that they do on E, before
/// and after the step; the strip that stores the cell adds it. old, next: u, a, b. A function of its own: few rows of
/// few strips call it.
template <class Line>
#if defined(__CUDACC__)
__host__ __device__ __noinline__
#else
__attribute__((noinline))
#endif
    void
    add_source_row(const PlaneSourceRow& row, const Line (&old)[3], Line (&next)[3]) {
  using Real = typename Line::Number;
  for (int k = row.begin; k < row.end; ++k) {
    const PlaneSourceTerm& d = row.entry[k];
    Line::at(d.column - row.first_column, [&](int l) {
      const double change = d.entry.weight * physics::value(row.shape[d.list], row.time - d.entry.delay);
      Real& u = next[d.component][l];
      u = static_cast<Real>((d.replaces ? 0.0 : double(u)) + change);
    });
  }
  if (row.work == nullptr) return;
  for (int k = row.begin; k < row.end; ++k) {
    const PlaneSourceTerm& d = row.entry[k];
    const int column = d.column - row.first_column;
    if (d.entry.moment == 0 || column < strip_halo || column >= strip_columns - strip_halo) continue;
    Line::at(column, [&](int l) {
      const double waveform = physics::value(row.shape[d.list], row.time - d.entry.delay);
      row.work[k] += work_of_step(d.entry.moment, waveform, row.time_step, double(old[d.component][l]),
                                  double(next[d.component][l]));
    });
  }
}

template <class Line, PlaneFields fields, int steps, bool layered, bool mixed>
class PlaneTemporalBlocking {
  using Real = typename Line::Number;
  static constexpr int count = Line::count;
  static constexpr int electric = 0, magnetic = 1;
  static constexpr bool ez = fields == PlaneFields::ez;

 public:
  DGTD_HOST_DEVICE PlaneTemporalBlocking(const PlaneView<Real>& v, const PlaneTask& task) : v_(v), task_(task) {
    static_for<2>([&](auto f) DGTD_INLINE {
      along_x_[f].read(v.x[f].inverse_distance + strip_columns + task.first_column);
      if constexpr (!mixed) {
        same_[f] = v.class_at(f, 0);
        for_lanes<count>([&](int l) DGTD_INLINE { along_x_[f][l] = same_[f].Cb * along_x_[f][l]; });
      }
      if constexpr (layered) {
        b_x_[f].read(v.x[f].b + strip_columns + task.first_column);
        c_x_[f].read(v.x[f].c + strip_columns + task.first_column);
      }
    });
    static_for<steps + 1>([&](auto t) DGTD_INLINE {
      rows_[t][0].clear();
      rows_[t][1].clear();
    });
  }

  // When row r arrives, those from r - steps to r - 1 are updated.
  DGTD_HOST_DEVICE void run() {
    int row = task_.row_begin - steps > -1 ? task_.row_begin - steps : -1;
    const int end = task_.row_end + steps, with_sources = task_.source_begin + 1, after = task_.source_end + steps;
    if constexpr (Line::in_registers) read(row, ahead_);
    DGTD_NO_UNROLL
    while (row < end) {
      const int stop = row < after && with_sources - 1 < end ? with_sources - 1 : end;
      DGTD_NO_UNROLL
      for (; row < stop; row += 2) two_rows<false>(row);
      DGTD_NO_UNROLL
      for (; row < end && row < after; row += 2) two_rows<true>(row);
    }
  }

 private:
  /// A row at a time level; psi of the rows' own components.
  struct Lines {
    Line f[3];                  // u, a, b
    Line psi[layered ? 4 : 1];  // PlaneView
    DGTD_HOST_DEVICE void clear() {
      static_for<3>([&](auto c) DGTD_INLINE { f[c].clear(); });
      static_for<(layered ? 4 : 0)>([&](auto c) DGTD_INLINE { psi[c].clear(); });
    }
  };

  // Two rows at a time: which of a level's two places a row takes is known when this is compiled.
  template <bool with_sources>
  DGTD_HOST_DEVICE void two_rows(int row) {
    next_row<0, with_sources>(row);
    next_row<1, with_sources>(row + 1);
  }

  template <int place, bool with_sources>
  DGTD_HOST_DEVICE void next_row(int row) {
    if constexpr (Line::in_registers) {
      rows_[0][place] = ahead_;
      read(row + 1, ahead_);
    } else {
      read(row, rows_[0][place]);
    }
    arrive<0, place, with_sources>(row);
  }

  // Cells outside the grid have coefficients of zero: what is read there is of no use. An array's is zero, so that it
  // is a number; registers have that of the nearest row and columns, which takes no tests.
  DGTD_HOST_DEVICE void read(int row, Lines& to) const {
    if constexpr (Line::in_registers) row = row < v_.rows ? row : v_.rows;
    else if (row >= v_.rows + 1) return to.clear();
    const std::int64_t n = v_.origin + row * v_.stride + task_.first_column;
    const int readable = v_.columns + strip_halo - task_.first_column;
    static_for<3>([&](auto c) DGTD_INLINE { to.f[c].read(v_.old_field[c] + n, readable); });
    if constexpr (layered) static_for<4>([&](auto c) DGTD_INLINE { to.psi[c].read(v_.old_psi[c] + n, readable); });
  }
  DGTD_HOST_DEVICE void write(int row, const Lines& from) const {
    if (row < task_.row_begin || row >= task_.row_end) return;
    const std::int64_t n = v_.origin + row * v_.stride + task_.first_column;
    const int writable = v_.columns - task_.first_column;
    static_for<3>([&](auto c) DGTD_INLINE { from.f[c].write(v_.new_field[c] + n, writable); });
    if constexpr (layered) static_for<4>([&](auto c) DGTD_INLINE { from.psi[c].write(v_.new_psi[c] + n, writable); });
  }

  /// Classes of a component's cells in a row.
  struct Medium {
    int number[mixed ? count : 1];
    DGTD_HOST_DEVICE int at(int l) const { return number[mixed ? l : 0]; }
  };
  DGTD_HOST_DEVICE Medium medium(int component, int row) const {
    Medium m;
    if constexpr (mixed) {
      const std::uint16_t* const class_of = v_.class_of[component];
      const bool known = class_of != nullptr && row >= 0 && row < v_.rows;
      const std::int64_t n = v_.origin + row * v_.stride + task_.first_column;
      for_lanes<count>([&](int l) DGTD_INLINE {
        const int column = task_.first_column + Line::column(l);
        m.number[l] = known && column >= 0 && column < v_.columns ? int(load(class_of + n + Line::column(l))) : 0;
      });
    } else {
      m.number[0] = 0;
    }
    return m;
  }

  /// Row `row` has arrived at level t: the one below it goes on to the next level, where the row below that one went
  /// before.
  template <int t, int place, bool with_sources>
  DGTD_HOST_DEVICE void arrive(int row) {
    if constexpr (t == steps) {
      write(row, rows_[t][place]);
    } else {
      const Lines &above = rows_[t][place], &old = rows_[t][1 - place], &before = rows_[t + 1][place];
      Lines& next = rows_[t + 1][1 - place];
      if constexpr (ez) {
        half_step_of_a_b<magnetic, t, with_sources>(row - 1, old, above.f[plane_u], old.f[plane_u],
                                                    old.f[plane_u].right(), old.f[plane_u], next);
        half_step_of_u<electric, t, with_sources>(row - 1, old, next.f[plane_a], before.f[plane_a], next.f[plane_b],
                                                  next.f[plane_b].left(), next);
      } else {
        half_step_of_u<magnetic, t, with_sources>(row - 1, old, above.f[plane_a], old.f[plane_a],
                                                  old.f[plane_b].right(), old.f[plane_b], next);
        half_step_of_a_b<electric, t, with_sources>(row - 1, old, next.f[plane_u], before.f[plane_u], next.f[plane_u],
                                                    next.f[plane_u].left(), next);
      }
      arrive<t + 1, 1 - place, with_sources>(row - 1);
    }
  }

  // curl_x = d_y F_z and curl_y = -d_x F_z, of E = u forwards, of H = u backwards.
  template <int field, int t, bool with_sources, class Right, class Left>
  DGTD_HOST_DEVICE void half_step_of_a_b(int row, const Lines& old, const Line& above, const Line& below,
                                         const Right& right, const Left& left, Lines& next) {
    constexpr Real sign = field == electric ? 1 : -1;  // of curl F
    const Real inverse_y = load(v_.y[field].inverse_distance + strip_columns + row);
    [[maybe_unused]] const Real b_y = layered ? load(v_.y[field].b + strip_columns + row) : Real(0);
    [[maybe_unused]] const Real c_y = layered ? load(v_.y[field].c + strip_columns + row) : Real(0);
    const Medium of_a = medium(plane_a, row), of_b = medium(plane_b, row);
    const MediumClass<Real> same = same_[field];  // a copy: stores to rows cannot change it
    for_lanes<count>([&](int l) DGTD_INLINE {
      const Real dy = above[l] - below[l], dx = right[l] - left[l];
      const MediumClass<Real> a = mixed ? v_.class_at(field, of_a.at(l)) : same,
                              b = mixed ? v_.class_at(field, of_b.at(l)) : same;
      Real u_a = a.Ca * old.f[plane_a][l], u_b = b.Ca * old.f[plane_b][l];
      u_a = multiply_add(sign * (a.Cb * inverse_y), dy, u_a);
      u_b = multiply_add(-sign * coefficient_x<field>(b, l), dx, u_b);
      if constexpr (layered) {
        next.psi[2][l] = multiply_add(b_y, old.psi[2][l], c_y * dy);
        next.psi[3][l] = multiply_add(b_x_[field][l], old.psi[3][l], c_x_[field][l] * dx);
        u_a = multiply_add(sign * a.Cb, next.psi[2][l], u_a);
        u_b = multiply_add(-sign * b.Cb, next.psi[3][l], u_b);
      }
      next.f[plane_a][l] = u_a;
      next.f[plane_b][l] = u_b;
    });
    if constexpr (with_sources) add_sources<field, t>(row, old, next);
  }

  // curl_z = d_x F_y - d_y F_x, of H = b, a backwards, of E = b, a forwards.
  template <int field, int t, bool with_sources, class Right, class Left>
  DGTD_HOST_DEVICE void half_step_of_u(int row, const Lines& old, const Line& above, const Line& below,
                                       const Right& right, const Left& left, Lines& next) {
    constexpr Real sign = field == electric ? 1 : -1;  // of curl F
    const Real inverse_y = load(v_.y[field].inverse_distance + strip_columns + row);
    [[maybe_unused]] const Real b_y = layered ? load(v_.y[field].b + strip_columns + row) : Real(0);
    [[maybe_unused]] const Real c_y = layered ? load(v_.y[field].c + strip_columns + row) : Real(0);
    const Medium of_u = medium(plane_u, row);
    const MediumClass<Real> same = same_[field];
    for_lanes<count>([&](int l) DGTD_INLINE {
      const Real dx = right[l] - left[l], dy = above[l] - below[l];
      const MediumClass<Real> m = mixed ? v_.class_at(field, of_u.at(l)) : same;
      Real u = m.Ca * old.f[plane_u][l];
      u = multiply_add(sign * coefficient_x<field>(m, l), dx, u);
      if constexpr (layered) {
        next.psi[0][l] = multiply_add(b_x_[field][l], old.psi[0][l], c_x_[field][l] * dx);
        u = multiply_add(sign * m.Cb, next.psi[0][l], u);
      }
      u = multiply_add(-sign * (m.Cb * inverse_y), dy, u);
      if constexpr (layered) {
        next.psi[1][l] = multiply_add(b_y, old.psi[1][l], c_y * dy);
        u = multiply_add(-sign * m.Cb, next.psi[1][l], u);
      }
      next.f[plane_u][l] = u;
    });
    if constexpr (with_sources) add_sources<field, t>(row, old, next);
  }

  template <int field>
  DGTD_HOST_DEVICE Real coefficient_x(const MediumClass<Real>& m, int l) const {
    return mixed ? m.Cb * along_x_[field][l] : along_x_[field][l];
  }

  template <int field, int t>
  DGTD_HOST_DEVICE void add_sources(int row, const Lines& old, Lines& next) const {
    const PlaneSourceTerms& sources = v_.sources[field];
    if (sources.row == nullptr || row < 0 || row >= v_.rows) return;
    int begin = sources.row[row], end = sources.row[row + 1];
    while (begin < end && sources.entry[begin].column < task_.first_column) ++begin;
    while (begin < end && sources.entry[end - 1].column >= task_.first_column + strip_columns) --end;
    if (begin == end) return;
    const double start = static_cast<double>(v_.first_step + t) * v_.time_step,
                 time = field == electric ? start + 0.5 * v_.time_step : start;
    const bool counts_work = field == electric && row >= task_.row_begin && row < task_.row_end;
    const PlaneSourceRow terms{sources.entry, sources.shape, counts_work ? sources.work : nullptr,
                               begin,         end,           task_.first_column,
                               time,          v_.time_step};
    if constexpr (Line::in_registers) {  // registers have no addresses: the function gets a copy
      Line before[3] = {old.f[0], old.f[1], old.f[2]}, after[3] = {next.f[0], next.f[1], next.f[2]};
      add_source_row(terms, before, after);
      static_for<3>([&](auto c) DGTD_INLINE { next.f[c] = after[c]; });
    } else {
      add_source_row(terms, old.f, next.f);
    }
  }

  const PlaneView<Real>& v_;
  const PlaneTask task_;
  MediumClass<Real> same_[2] = {};  // of all cells, unless mixed
  Line along_x_[2];                 // inverse distances, times Cb unless mixed
  Line b_x_[layered ? 2 : 1], c_x_[layered ? 2 : 1];
  Lines rows_[steps + 1][2];  // [time level] the last row that arrived and the one below it
  Lines ahead_;
};

}  // namespace dgtd::fdtd
