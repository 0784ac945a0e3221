#pragma once
// One step of all nodes, from one pair of arrays to the other: rows, then sources, then walls of type Mur
// (those along y first: corners follow their neighbour along x). Every other schedule gives the same bits.
#include "dgtd/hpf/kernels/update_node.hpp"

namespace dgtd::hpf {

template <class Real, bool coupled, bool lossy>
struct PlainUpdate {
  PlaneView<Real> v;

  DGTD_HOST_DEVICE void store(int i, int j, Real along, Real across) const {
    const std::int64_t n = v.index(i, j);
    Real Cb, Ca = 1;
    if (v.Cb != nullptr) {
      Cb = v.Cb[n];
      if constexpr (lossy) Ca = v.Ca[n];
    } else {
      const Coefficients<Real> c = v.coefficients_at(i, j);
      Cb = c.Cb, Ca = c.Ca;
    }
    const Real change =
        new_increment<lossy>(v.increment[n], difference<coupled>(v.psi[n], along, across, v.ratio, v.centre), Cb, Ca);
    v.new_increment[n] = change;
    v.new_psi[n] = v.psi[n] + change;
  }
  /// A node on any place, walls included.
  DGTD_HOST_DEVICE void node(int i, int j) const {
    const std::int64_t n = v.index(i, j);
    if (v.fixed_row(j) || v.fixed_column(i)) {
      v.new_increment[n] = 0;
      v.new_psi[n] = v.psi[n];
      return;
    }
    const bool low = j == 0 && v.wall[2] == Boundary::mirror, high = j == v.height - 1 && v.wall[3] == Boundary::mirror;
    const Real below = v.psi[low ? n + v.pitch : n - v.pitch], above = v.psi[high ? n - v.pitch : n + v.pitch];
    Real across = 0;
    if constexpr (coupled) {
      const std::int64_t row = n - i;
      const int last = v.width - 1;
      // Where neither a wall nor the other end follows, the wall is a mirror.
      const Real left = v.psi[row + (i > 0      ? i - 1
                                     : v.wrap_x ? last
                                                : 1)],
                 right = v.psi[row + (i < last   ? i + 1
                                      : v.wrap_x ? 0
                                                 : last - 1)];
      across = left + right;
    }
    store(i, j, below + above, across);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t k) const {
    node(static_cast<int>(k % v.width), static_cast<int>(k / v.width));
  }

  /// A row, as vector loops where no wall is in the way.
  void row(int j) const {
    if (v.fixed_row(j) || (j == 0 && v.wall[2] == Boundary::mirror) ||
        (j == v.height - 1 && v.wall[3] == Boundary::mirror)) {
      for (int i = 0; i < v.width; ++i) node(i, j);
      return;
    }
    const std::int64_t n = v.index(0, j);
    const Real *const p = v.psi + n, *const below = p - v.pitch, *const above = p + v.pitch,
                      *const old = v.increment + n, *const Cb = v.Cb + n;
    const Real* const Ca = lossy ? v.Ca + n : nullptr;
    Real *const psi = v.new_psi + n, *const increment = v.new_increment + n;
    const int first = coupled ? 1 : 0, last = coupled ? v.width - 1 : v.width;
#pragma omp simd
    for (int i = first; i < last; ++i) {
      const Real across = coupled ? p[i - 1] + p[i + 1] : Real(0);
      const Real change =
          new_increment<lossy>(old[i], difference<coupled>(p[i], below[i] + above[i], across, v.ratio, v.centre), Cb[i],
                               lossy ? Ca[i] : Real(1));
      increment[i] = change;
      psi[i] = p[i] + change;
    }
    if (coupled) node(0, j), node(v.width - 1, j);
  }
};

/// v += Cb S, psi += Cb S at the nodes of sources, S their value in this step. Node k of all sources' nodes, one
/// after the other; no two sources of one call have a node in common.
template <class Real>
struct AddSource {
  PlaneView<Real> v;
  int source, step;
  DGTD_HOST_DEVICE void operator()(std::int64_t k) const {
    const RowSource<Real>& d = v.sources[source];
    const int i = d.first + static_cast<int>(k);
    if (v.fixed_row(d.row) || v.fixed_column(i)) return;
    const std::int64_t n = v.index(i, d.row);
    const Real change = (v.Cb != nullptr ? v.Cb[n] : v.coefficients_at(i, d.row).Cb) * v.source_at(d, step);
    v.new_increment[n] += change;
    v.new_psi[n] += change;
  }
};

/// Nodes of a wall of type Mur: ymin, ymax without ends that lie on such walls of x; then xmin, xmax.
template <class Real>
struct UpdateWall {
  PlaneView<Real> v;
  int side;
  DGTD_HOST_DEVICE void operator()(std::int64_t k) const {
    const bool along_x = side < 2;
    const int i = along_x ? (side == 0 ? 0 : v.width - 1) : static_cast<int>(k),
              j = along_x ? static_cast<int>(k) : (side == 2 ? 0 : v.height - 1);
    if (!along_x && v.fixed_column(i)) return;
    // A corner of which one wall holds zero stays zero.
    if (along_x && ((j == 0 && v.wall[2] == Boundary::zero) || (j == v.height - 1 && v.wall[3] == Boundary::zero)))
      return;
    const std::int64_t n = v.index(i, j), inner = n + (side == 0 ? 1 : side == 1 ? -1 : side == 2 ? v.pitch : -v.pitch);
    const Coefficients<Real> c = v.coefficients_at(i, j);
    const Real change = mur_increment(v.psi[n], v.new_psi[inner], v.new_increment[inner], along_x ? c.mur_x : c.mur_y);
    v.new_increment[n] = change;
    v.new_psi[n] = v.psi[n] + change;
  }
};

}  // namespace dgtd::hpf
