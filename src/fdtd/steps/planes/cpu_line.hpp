#pragma once
// A strip's part of a row on the CPU (kernels/plane_temporal_blocking.hpp): an array in the first cache, its loops are
// vectors.
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

template <class Real>
struct CpuLine {
  using Number = Real;
  static constexpr int count = strip_columns;
  static constexpr bool in_registers = false;
  static constexpr int margin = 64 / sizeof(Real);
  alignas(64) Real with_margins[margin + count + margin];  // the margins' values are of no use, but there

  Real& operator[](int l) { return with_margins[margin + l]; }
  const Real& operator[](int l) const { return with_margins[margin + l]; }
  struct Shifted {
    const Real* v;
    const Real& operator[](int l) const { return v[l]; }
  };
  Shifted right() const { return {with_margins + margin + 1}; }
  Shifted left() const { return {with_margins + margin - 1}; }

  static int column(int l) { return l; }
  template <class F>
  static void at(int column, const F& f) {
    f(column);
  }

  void clear() {
    for (Real& v : with_margins) v = 0;
  }
  void read(const Real* from) {
    for (int l = 0; l < count; ++l) (*this)[l] = from[l];
  }
  /// Zero from column `readable` on.
  void read(const Real* from, int readable) {
    if (readable >= count) return read(from);
    for (int l = 0; l < count; ++l) (*this)[l] = l < readable ? from[l] : Real(0);
  }
  /// The columns that are not the halo's, before column `writable`.
  void write(Real* to, int writable) const {
    const int end = writable < count - strip_halo ? writable : count - strip_halo;
    for (int l = strip_halo; l < end; ++l) to[l] = (*this)[l];
  }
};

}  // namespace dgtd::fdtd
