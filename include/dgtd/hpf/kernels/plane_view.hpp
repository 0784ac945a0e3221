#pragma once
// Arrays that the kernels of a potential in a plane read and write: plain pointers, the same on the CPU and on the GPU.
//
// Nodes (i, j) at x = i dx, y = j dy; memory is [row j][i], i fastest. A rank holds `width` x `height` nodes, and
// `ghost_rows` rows of its neighbours below and above. Lines along y (the propagation direction l of the paper)
// that lie side by side are side by side in memory.
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::hpf {

/// Boundary condition of a rank on a side. none: rows of another rank, or the other end of a periodic axis, follow.
enum class Boundary { none, zero, mirror, mur };  // psi = 0; d psi/dn = 0; Mur's condition of first order

DGTD_HOST_DEVICE constexpr bool is_fixed(Boundary wall) { return wall == Boundary::zero || wall == Boundary::mur; }

inline constexpr int most_planes = 8;  // bits of the number of a class of nodes

/// Update coefficients of a class of nodes: see update_node.hpp.
template <class Real>
struct Coefficients {
  Real Ca = 1, Cb = 0, mur_x = 0, mur_y = 0;
};

/// A part of a row to whose nodes a time series is added.
template <class Real>
struct RowSource {
  int row, first, last;  // nodes first <= i < last
  int series;
  Real weight;
};

template <class Real>
struct PlaneView {
  int width, height, ghost_rows;
  std::int64_t pitch;                      // reals from a row to the next
  bool coupled_x;                          // the five-point stencil; else lines along y are independent
  bool wrap_x;                             // periodic along x
  Boundary wall[4];                        // xmin xmax ymin ymax
  Real ratio, centre;                      // weights of the neighbours along y (those along x have 1) and of the node
  const Coefficients<Real>* coefficients;  // [classes]
  // Which class a node has: bits of its number, one mask per bit (Tartarini, Massaro 2011, sec. 3.2: a mask per
  // dielectric).
  const std::uint32_t* masks;  // [row with ghosts][plane][words]: bit i % 32 of word i / 32
  int planes, words;
  // The same as numbers per node, where an executor has them; else null.
  const Real *Cb, *Ca;                        // [row with ghosts][pitch]
  const Real *psi, *increment;                // psi^n and psi^n - psi^{n-1}, [row with ghosts][pitch]
  Real *new_psi, *new_increment;              // the same after the steps, other arrays
  const RowSource<Real>* sources;             // [source_count]
  int source_count, source_low, source_high;  // their rows lie from low to high
  const Real* series;                         // [series][series_stride]
  int series_stride;

  DGTD_HOST_DEVICE std::int64_t index(int i, int j) const { return std::int64_t(j + ghost_rows) * pitch + i; }
  /// Rows that exist, ghosts included.
  DGTD_HOST_DEVICE int low_row() const { return wall[2] == Boundary::none ? -ghost_rows : 0; }
  DGTD_HOST_DEVICE int high_row() const { return wall[3] == Boundary::none ? height + ghost_rows : height; }
  DGTD_HOST_DEVICE bool fixed_row(int j) const {
    return (j == 0 && is_fixed(wall[2])) || (j == height - 1 && is_fixed(wall[3]));
  }
  DGTD_HOST_DEVICE bool fixed_column(int i) const {
    return coupled_x && ((i == 0 && is_fixed(wall[0])) || (i == width - 1 && is_fixed(wall[1])));
  }
  DGTD_HOST_DEVICE int class_at(int i, int j) const {
    const std::uint32_t* const word = masks + std::int64_t(j + ghost_rows) * planes * words + i / 32;
    int number = 0;
    DGTD_NO_UNROLL
    for (int k = 0; k < planes; ++k) number |= int(word[std::int64_t(k) * words] >> (i % 32) & 1u) << k;
    return number;
  }
  DGTD_HOST_DEVICE Coefficients<Real> coefficients_at(int i, int j) const { return coefficients[class_at(i, j)]; }
  /// The value of a source in a step, before the node's Cb.
  DGTD_HOST_DEVICE Real source_at(const RowSource<Real>& d, int step) const {
    return d.weight * series[std::int64_t(d.series) * series_stride + step];
  }
};

}  // namespace dgtd::hpf
