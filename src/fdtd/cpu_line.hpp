#pragma once
// A strip's part of a row on the CPU (kernels/plane_march.hpp): an array in the first cache, its loops are vectors.
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

template <class Real>
struct CpuLine {
  using Number = Real;
  static constexpr int count = strip_columns;
  alignas(64) Real v[count];

  static int column(int l) { return l; }
  template <class F>
  static void at(int column, const F& f) { f(column); }

  void clear() {
    for (int l = 0; l < count; ++l) v[l] = 0;
  }
  void read(const Real* from) {
    for (int l = 0; l < count; ++l) v[l] = from[l];
  }
  /// Zero from column `readable` on.
  void read(const Real* from, int readable) {
    if (readable >= count) return read(from);
    for (int l = 0; l < count; ++l) v[l] = l < readable ? from[l] : Real(0);
  }
  /// The columns that are not the halo's, before column `writable`.
  void write(Real* to, int writable) const {
    const int end = writable < count - strip_halo ? writable : count - strip_halo;
    for (int l = strip_halo; l < end; ++l) to[l] = v[l];
  }
  CpuLine shifted_up() const {
    CpuLine s;
    for (int l = 0; l + 1 < count; ++l) s.v[l] = v[l + 1];
    s.v[count - 1] = 0;
    return s;
  }
  CpuLine shifted_down() const {
    CpuLine s;
    s.v[0] = 0;
    for (int l = 1; l < count; ++l) s.v[l] = v[l - 1];
    return s;
  }
};

}  // namespace dgtd::fdtd
