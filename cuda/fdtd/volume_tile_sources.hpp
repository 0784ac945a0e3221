#pragma once
// Sources in a tile of a pass over a volume grid: additions to the cells that its threads hold.
#include "dgtd/fdtd/kernels/curl.hpp"
#include "volume_tile_memory.hpp"

namespace dgtd::fdtd {

template <class Kind>
class VolumeTileSources {
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  static constexpr int R = Kind::rows_per_warp, V = Kind::cells_per_lane, warps = Kind::warps;
  static constexpr int groups = Kind::row_groups;

 public:
  /// first_plane: that the tile computes.
  __device__ __forceinline__ VolumeTileSources(const VolumeView& v, const VolumeTask& task,
                                               VolumeTileMemory<Kind>& memory, int lane, int warp, int first_plane)
      : v_(v), task_(task), m_(memory), lane_(lane), warp_(warp), first_plane_(first_plane) {}

  /// Asks for the warp's terms in a plane.
  __device__ __forceinline__ void copy(int place, int plane) {
    const int n = lane_ >> 1;  // E, H; begin, end
    if (lane_ >= 4 || plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    int* const to = &m_.sources[place][n][warp_].x + (lane_ & 1);
    parallel::copy_bytes<4>(
        to, v_.sources.begin + task_.sources + ((plane - first_plane_) * 2 + n) * warps + warp_ + (lane_ & 1));
  }
  /// Adds this warp's entries of the field in a plane at stage s, and stores what E is then.
  template <int field, int s>
  __device__ __forceinline__ void add(int place, int plane, Number (&u)[3][R][V]) {
    if (plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    const int2 range = m_.sources[place][field][warp_];
    const std::int64_t at_step = s * v_.sources.places;
    const auto no_value = [](int) DGTD_INLINE { return 0.; };
    each_term(
        range, [&](int at) DGTD_INLINE { return __ldg(v_.sources.values + at_step + at); },
        [&](int place, int, double value) DGTD_INLINE {
          at_place(place, [&](int c, auto g, int r, int i) DGTD_INLINE {
            Number& to = u[c][r][i];
            to = Numbers::template with<g>(to, float(double(Numbers::template in_group<g>(to)) + value));
          });
        });
    if constexpr (field == 0)
      each_term(range, no_value, [&](int place, int at, double) DGTD_INLINE {
        at_place(place, [&](int c, auto g, int r, int i) DGTD_INLINE {
          v_.sources.after[at_step + at] = Numbers::template in_group<g>(u[c][r][i]);
        });
      });
  }

 private:
  /// visit(place, at, value_at(at)) for the lane's entries of terms, in their order. Four terms, and then their values,
  /// are read together, since they come from the second cache; the visit is compiled once.
  template <class Value, class Visit>
  __device__ __forceinline__ void each_term(const int2& range, const Value& value_at, const Visit& visit) const {
    constexpr int at_once = 4;
#pragma unroll 1
    for (int first = range.x; first < range.y; first += at_once) {
      const int count = min(range.y - first, at_once);
      int place[at_once], at[at_once];  // at: -1 where the lane has no entry
      double value[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const VolumeSourceTerm term = v_.sources.terms[first + min(n, count - 1)];
        place[n] = term.place;
        at[n] = term.lanes >> lane_ & 1 ? term.first + __popc(term.lanes & ((1u << lane_) - 1)) : -1;
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n) value[n] = at[n] >= 0 ? value_at(at[n]) : 0;
#pragma unroll 1
      for (int left = count; left > 0; --left) {
        if (at[0] >= 0) visit(place[0], at[0], value[0]);
#pragma unroll
        for (int n = 0; n + 1 < at_once; ++n) place[n] = place[n + 1], at[n] = at[n + 1], value[n] = value[n + 1];
      }
    }
  }
  template <class F>
  static __device__ __forceinline__ void at_place(int place, const F& f) {
    static_for<3 * groups * R * V>([&](auto p) DGTD_INLINE {
      constexpr int g = p / (R * V) % groups;
      if (place == p) f(p / (groups * R * V), std::integral_constant<int, g>{}, p / V % R, p % V);
    });
  }

  const VolumeView& v_;
  const VolumeTask& task_;
  VolumeTileMemory<Kind>& m_;
  const int lane_, warp_, first_plane_;
};

}  // namespace dgtd::fdtd
