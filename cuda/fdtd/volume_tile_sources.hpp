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
    parallel::copy_4_bytes(
        to, v_.sources.begin + task_.sources + ((plane - first_plane_) * 2 + n) * warps + warp_ + (lane_ & 1));
  }
  /// Adds this warp's entries of the field in a plane at stage s, and stores what E is then.
  template <int field, int s>
  __device__ __forceinline__ void add(int place, int plane, Number (&u)[3][R][V]) {
    if (plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    const int2 range = m_.sources[place][field][warp_];
    const std::int64_t at_step = s * v_.sources.places;
    const unsigned before = (1u << lane_) - 1;  // lanes
#pragma unroll 1
    for (int t = range.x; t < range.y; ++t) {
      const VolumeSourceTerm term = v_.sources.terms[t];
      if (!(term.lanes >> lane_ & 1)) continue;
      const double value = v_.sources.values[at_step + term.first + __popc(term.lanes & before)];
      at_place(term.place, [&](int c, auto g, int r, int i) DGTD_INLINE {
        Number& to = u[c][r][i];
        to = Numbers::template with<g>(to, float(double(Numbers::template in_group<g>(to)) + value));
      });
    }
    if constexpr (field == 0)
#pragma unroll 1
      for (int t = range.x; t < range.y; ++t) {
        const VolumeSourceTerm term = v_.sources.terms[t];
        if (!(term.lanes >> lane_ & 1)) continue;
        float* const after = v_.sources.after + at_step + term.first + __popc(term.lanes & before);
        at_place(term.place,
                 [&](int c, auto g, int r, int i) DGTD_INLINE { *after = Numbers::template in_group<g>(u[c][r][i]); });
      }
  }

 private:
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
