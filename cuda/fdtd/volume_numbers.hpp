#pragma once
// The numbers that a tile of a pass over a volume grid computes with. One per cell; or two halves in a word, of cells
// in two groups of rows of the tile, which one instruction updates.
#include "dgtd/fdtd/kernels/curl.hpp"
#include "dgtd/fdtd/kernels/volume_view.hpp"

namespace dgtd::fdtd {

/// Of a tile of so many columns of Number: how fields are stored, and how its columns are read and written.
template <class Number>
struct TileNumbers;

template <>
struct TileNumbers<float> {
  using Stored = float;
  using Columns = float2;  // of two cells beside each other
  static constexpr int row_groups = 1;
  /// A plane's copy begins 16 bytes before the tile, so that its first byte is a multiple of 32, and has the row after
  /// the tile.
  static constexpr int margin = 4, more_columns = 0, more_rows = 1;

  /// The number whose value in a group of rows is of_group(group).
  template <class F>
  static __device__ __forceinline__ float of_groups(const F& of_group) {
    return of_group(0);
  }
  static __device__ __forceinline__ float same(float value) { return value; }
  static __device__ __forceinline__ Columns columns(float first, float second) { return make_float2(first, second); }
  /// Two columns of a tile's plane; group_stride: from a row to that of the next group.
  static __device__ __forceinline__ void read(const float* from, int /*group_stride*/, float (&to)[2]) {
    const float2 both = *reinterpret_cast<const float2*>(from);
    to[0] = both.x, to[1] = both.y;
  }
  template <int group>
  static __device__ __forceinline__ void write(float* to, const float (&from)[2], bool second) {
    if (second) *reinterpret_cast<float2*>(to) = make_float2(from[0], from[1]);
    else *to = from[0];
  }
  template <int group>
  static __device__ __forceinline__ float in_group(float a) {
    return a;
  }
  /// With a new value in a group of rows.
  template <int group>
  static __device__ __forceinline__ float with(float, float value) {
    return value;
  }
};

/// a, or -a.
template <int sign, class Number>
__device__ __forceinline__ Number signed_by(Number a) {
  if constexpr (sign < 0) return -a;
  else return a;
}

/// Two columns of numbers in shared memory.
template <class Number>
__device__ __forceinline__ void read_pair(const Number* from, Number (&to)[2]) {
  const auto both = *reinterpret_cast<const typename TileNumbers<Number>::Columns*>(from);
  to[0] = both.x, to[1] = both.y;
}
template <class Number>
__device__ __forceinline__ void write_pair(Number* to, const Number (&from)[2]) {
  *reinterpret_cast<typename TileNumbers<Number>::Columns*>(to) = TileNumbers<Number>::columns(from[0], from[1]);
}

}  // namespace dgtd::fdtd
