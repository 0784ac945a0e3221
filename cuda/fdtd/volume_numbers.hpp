#pragma once
// The numbers that a tile of a pass over a volume grid computes with. One per cell; or two halves in a word, of cells
// in two groups of rows of the tile, which one instruction updates.
#include "../parallel/tensor_copy.hpp"
#include "dgtd/fdtd/kernels/curl.hpp"
#include "dgtd/fdtd/kernels/volume_view.hpp"
#include "half_pair.hpp"

namespace dgtd::fdtd {

/// A value that the compiler does not compute anew where it is needed.
__device__ __forceinline__ unsigned kept_in_register(unsigned value) {
  asm volatile("" : "+r"(value));
  return value;
}

__device__ __forceinline__ float from_right(float own) { return __shfl_down_sync(~0u, own, 1); }
__device__ __forceinline__ float from_left(float own) { return __shfl_up_sync(~0u, own, 1); }

/// Storage of fields, and access to a tile's columns.
template <class Number>
struct TileNumbers;

template <>
struct TileNumbers<float> {
  using Stored = float;
  using Columns = float2;    // of two cells beside each other
  using TwoStored = float2;  // likewise, of one row
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
  /// A quantity with a length in it as one that is computed with, and back (views.hpp).
  static __device__ __forceinline__ float in_lengths(float value, float /*factor*/) { return value; }
  static __device__ __forceinline__ float from_lengths(float value, float /*factor*/) { return value; }
  static __device__ __forceinline__ Columns columns(float first, float second) { return make_float2(first, second); }
  /// Two columns of a tile's plane; group_stride: from a row to that of the next group.
  static __device__ __forceinline__ void read(const float* from, int /*group_stride*/, float (&to)[2]) {
    const float2 both = *reinterpret_cast<const float2*>(from);
    to[0] = both.x, to[1] = both.y;
  }
  /// The number of a column whose values are stored so, by group of rows; a value for all columns as they are stored.
  static __device__ __forceinline__ float column(const float2 (&of_group)[1], int i) {
    return i == 0 ? of_group[0].x : of_group[0].y;
  }
  static __device__ __forceinline__ float2 two_stored(float a) { return make_float2(a, a); }
  template <int group>
  static __device__ __forceinline__ void write(float* to, const float (&from)[2], bool second) {
    if (second) *reinterpret_cast<float2*>(to) = make_float2(from[0], from[1]);
    else *to = from[0];
  }
  template <int group>
  static __device__ __forceinline__ void write_if(bool here, float* to, const float (&from)[2]) {
    parallel::store_if(here, to, __float_as_uint(from[0]), __float_as_uint(from[1]));
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

__device__ __forceinline__ HalfPair from_right(HalfPair own) { return {__shfl_down_sync(~0u, own.bits, 1)}; }
__device__ __forceinline__ HalfPair from_left(HalfPair own) { return {__shfl_up_sync(~0u, own.bits, 1)}; }

template <>
struct TileNumbers<HalfPair> {
  using Stored = Half;
  struct alignas(8) Columns {
    HalfPair x, y;
  };
  using TwoStored = unsigned;
  static constexpr int row_groups = 2;
  /// Copies begin 8 bytes before the tile, at a multiple of 16, of which they are a multiple too. The row after the
  /// tile would only matter for rows that are not stored.
  static constexpr int margin = 4, more_columns = 4, more_rows = 0;

  template <class F>
  static __device__ __forceinline__ HalfPair of_groups(const F& of_group) {
    const float upper = of_group(1);
    return pair_of(of_group(0), upper);
  }
  static __device__ __forceinline__ HalfPair same(float value) {
    return of_groups([&](int) DGTD_INLINE { return value; });
  }
  static __device__ __forceinline__ float in_lengths(float value, float factor) { return value * factor; }
  static __device__ __forceinline__ float from_lengths(float value, float factor) { return value * factor; }
  static __device__ __forceinline__ Columns columns(HalfPair first, HalfPair second) { return {first, second}; }
  static __device__ __forceinline__ void read(const Half* from, int group_stride, HalfPair (&to)[2]) {
    const unsigned of_group[2] = {*reinterpret_cast<const std::uint32_t*>(from),
                                  *reinterpret_cast<const std::uint32_t*>(from + group_stride)};
    to[0] = column(of_group, 0), to[1] = column(of_group, 1);
  }
  static __device__ __forceinline__ HalfPair column(const unsigned (&of_group)[2], int i) {
    return {__byte_perm(of_group[0], of_group[1], i == 0 ? 0x5410 : 0x7632)};
  }
  static __device__ __forceinline__ unsigned two_stored(HalfPair a) { return a.bits; }
  template <int group>
  static __device__ __forceinline__ void write(Half* to, const HalfPair (&from)[2], bool second) {
    const std::uint32_t both = __byte_perm(from[0].bits, from[1].bits, group == 0 ? 0x5410 : 0x7632);
    if (second) *reinterpret_cast<std::uint32_t*>(to) = both;
    else to->bits = static_cast<std::uint16_t>(both);
  }
  template <int group>
  static __device__ __forceinline__ void write_if(bool here, Half* to, const HalfPair (&from)[2]) {
    parallel::store_if(here, to, __byte_perm(from[0].bits, from[1].bits, group == 0 ? 0x5410 : 0x7632));
  }
  template <int group>
  static __device__ __forceinline__ float in_group(HalfPair a) {
    return half_bits::decode(static_cast<std::uint16_t>(a.bits >> (16 * group)));
  }
  template <int group>
  static __device__ __forceinline__ HalfPair with(HalfPair a, float value) {
    return {__byte_perm(a.bits, half_bits::encode(value), group == 0 ? 0x3254 : 0x5410)};
  }
  /// The lower rows' values as those of the upper rows, the others 0; and the other way round.
  static __device__ __forceinline__ HalfPair lower_as_upper(HalfPair a) { return {a.bits << 16}; }
  static __device__ __forceinline__ HalfPair upper_as_lower(HalfPair a) { return {a.bits >> 16}; }
  static __device__ __forceinline__ HalfPair lower_alone(HalfPair a) { return {a.bits & 0xffffu}; }
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
template <class Number>
__device__ __forceinline__ void write_pair(Number* to, const typename TileNumbers<Number>::Columns& both) {
  *reinterpret_cast<typename TileNumbers<Number>::Columns*>(to) = both;
}

__device__ __forceinline__ std::uint32_t bits_of(float a) { return __float_as_uint(a); }
__device__ __forceinline__ std::uint32_t bits_of(HalfPair a) { return a.bits; }
/// Where it is true, without a branch.
template <class Number>
__device__ __forceinline__ void write_pair_if(bool here, Number* to, const Number (&from)[2]) {
  parallel::store_shared_if(here, to, bits_of(from[0]), bits_of(from[1]));
}

}  // namespace dgtd::fdtd
