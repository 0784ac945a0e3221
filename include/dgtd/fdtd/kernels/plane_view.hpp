#pragma once
// Data of a pass over a plane grid (plane_temporal_blocking.hpp): plain pointers, the same on the CPU and
// on the GPU.
#include <cstdint>

#include "dgtd/fdtd/kernels/source_view.hpp"
#include "dgtd/fdtd/kernels/views.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// A pass works on strips of this many columns, of which those of the halo on either side are computed for the strip
/// alone; so many steps can be made at once.
inline constexpr int strip_columns = 128, strip_halo = 4, most_steps_a_pass = strip_halo;

/// The fields of a plane: u out of the plane, a along x, b along y. Polarisation ez: u = Ez, a = Hx, b = Hy; hz:
/// u = Hz, a = Ex, b = Ey.
enum class PlaneFields { ez, hz };
inline constexpr int plane_u = 0, plane_a = 1, plane_b = 2;

/// Additions to a component of one row, of all sources, in the order in which they are made.
struct PlaneSourceTerm {
  SourceEntry entry;
  int column;
  int component;  // plane_u, plane_a or plane_b
  int list;       // which has the waveform
  bool replaces;  // SourceList
};
struct PlaneSourceTerms {
  const int* row;  // [rows + 1] where the entries of a row begin, by column inside; null: no entries
  const PlaneSourceTerm* entry;
  const physics::WaveformShape* shape;  // [list]
  double* work;                         // [entry] J, done so far
};

/// Along one axis, from position -strip_columns on; all 0 outside the grid.
template <class Real>
struct PlaneAxis {
  const Real *inverse_distance, *b, *c;  // AxisView
};

/// A rectangle of cells: columns first + halo to first + strip_columns - halo, of what the grid has of them.
struct PlaneTask {
  static constexpr int no_row = -1000000000;
  int first_column;
  int row_begin, row_end;
  int source_begin = no_row, source_end = no_row;  // rows with source terms in the strip's columns, within its reach
};

template <class Real>
struct PlaneView {
  int columns, rows;
  std::int64_t stride, origin;  // reals from row to row; index of column 0 in row 0
  const Real* old_field[3];     // [reals] u, a, b before the pass
  Real* new_field[3];           // and after it
  const Real* old_psi[4];       // [reals] of absorbing layers, at: du/dx, du/dy in a, b; of a (y), of b (x) in u:
  Real* new_psi[4];             //   psi_u_x, psi_u_y, psi_a, psi_b (which component's half step they belong to)
  PlaneAxis<Real> x[2], y[2];   // at E's positions and at H's
  const MediumClass<Real>* classes[2];  // of E and of H
  const std::uint16_t* class_of[3];     // [reals] of u, a, b; null: all of class 0
  PlaneSourceTerms sources[2];          // of E and of H
  std::int64_t first_step;              // number of the pass's first step
  double time_step;                     // s

  DGTD_HOST_DEVICE MediumClass<Real> class_at(int field, int number) const {
    return {load(&classes[field][number].Ca), load(&classes[field][number].Cb)};
  }
};

}  // namespace dgtd::fdtd
