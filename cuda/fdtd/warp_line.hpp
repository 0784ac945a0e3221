#pragma once
// A strip's part of a row on the GPU (kernels/plane_temporal_blocking.hpp): four columns per thread of a warp, in
// registers.
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

template <class Real>
struct WarpLine {
  using Number = Real;
  static constexpr int count = 4;
  static constexpr bool in_registers = true;
  static_assert(count * 32 == strip_columns && strip_halo == count, "the outer threads hold the halo");
  Real v[count];
  __device__ __forceinline__ Real& operator[](int l) { return v[l]; }
  __device__ __forceinline__ const Real& operator[](int l) const { return v[l]; }

  static __device__ __forceinline__ int lane() { return int(threadIdx.x); }
  static __device__ __forceinline__ int column(int l) { return lane() * count + l; }
  template <class F>
  static __device__ __forceinline__ void at(int column, const F& f) {
    if (column / count == lane()) f(column % count);
  }

  __device__ __forceinline__ void clear() {
    static_for<count>([&](auto l) DGTD_INLINE { v[l] = 0; });
  }
  __device__ __forceinline__ void read(const Real* from) { read_of(from, lane()); }
  __device__ __forceinline__ void read_of(const Real* from, int thread) {
    constexpr int pack = 16 / sizeof(Real);
    static_for<count / pack>([&](auto p) DGTD_INLINE {
      using Pack = std::conditional_t<sizeof(Real) == 4, float4, double2>;
      const Pack q = __ldg(reinterpret_cast<const Pack*>(from + thread * count) + p);
      v[p * pack] = q.x;
      v[p * pack + 1] = q.y;
      if constexpr (pack == 4) v[p * pack + 2] = q.z, v[p * pack + 3] = q.w;
    });
  }
  /// From column `readable` on what the last readable thread has.
  __device__ __forceinline__ void read(const Real* from, int readable) {
    read_of(from, min(lane(), (readable - 1) / count));
  }
  __device__ __forceinline__ void write(Real* to, int writable) const {
    if (lane() == 0 || lane() == 31) return;
    constexpr int pack = 16 / sizeof(Real);
    if (lane() * count + count <= writable) {
      static_for<count / pack>([&](auto p) DGTD_INLINE {
        if constexpr (pack == 4)
          reinterpret_cast<float4*>(to + lane() * count)[p] =
              float4{v[p * 4], v[p * 4 + 1], v[p * 4 + 2], v[p * 4 + 3]};
        else reinterpret_cast<double2*>(to + lane() * count)[p] = double2{v[p * 2], v[p * 2 + 1]};
      });
    } else {
      static_for<count>([&](auto l) DGTD_INLINE {
        if (column(l) < writable) to[column(l)] = v[l];
      });
    }
  }
  __device__ __forceinline__ WarpLine right() const {
    WarpLine s;
    static_for<count - 1>([&](auto l) DGTD_INLINE { s.v[l] = v[l + 1]; });
    s.v[count - 1] = __shfl_down_sync(0xffffffffu, v[0], 1);
    return s;
  }
  __device__ __forceinline__ WarpLine left() const {
    WarpLine s;
    static_for<count - 1>([&](auto l) DGTD_INLINE { s.v[l + 1] = v[l]; });
    s.v[0] = __shfl_up_sync(0xffffffffu, v[count - 1], 1);
    return s;
  }
};

}  // namespace dgtd::fdtd
