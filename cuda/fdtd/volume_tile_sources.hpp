#pragma once
// Sources and lumped ports in a tile of a pass over a volume grid: changes of the cells that its threads hold.
#include "dgtd/fdtd/kernels/curl.hpp"
#include "dgtd/fdtd/kernels/port_view.hpp"
#include "volume_tile_memory.hpp"

namespace dgtd::fdtd {

template <class Kind>
class VolumeTileSources {
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  static constexpr int R = Kind::rows_per_warp, V = Kind::cells_per_lane, warps = Kind::warps;
  static constexpr int groups = Kind::row_groups, fields = Kind::listed_fields;

 public:
  /// first_plane: that the tile computes.
  __device__ __forceinline__ VolumeTileSources(const VolumeView& v, const VolumeTask& task,
                                               VolumeTileMemory<Kind>& memory, int lane, int warp, int first_plane)
      : v_(v), task_(task), m_(memory), lane_(lane), warp_(warp), first_plane_(first_plane) {}

  /// Asks for the warp's terms in a plane.
  __device__ __forceinline__ void copy(int place, int plane) {
    const int n = lane_ >> 1;  // E, H, ports; begin, end
    if (lane_ >= 2 * fields || plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    int* const to = &m_.sources[place][n][warp_].x + (lane_ & 1);
    parallel::copy_bytes<4>(
        to, v_.sources.begin + task_.sources + ((plane - first_plane_) * fields + n) * warps + warp_ + (lane_ & 1));
  }
  /// Adds this warp's entries of the field in a plane at stage s, and stores what E is then, unless ports follow.
  template <int field, int s>
  __device__ __forceinline__ void add(int place, int plane, Number (&u)[3][R][V]) {
    if (plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    const int2 range = m_.sources[place][field][warp_];
    const std::int64_t at_step = s * v_.sources.places;
    each_term(
        range, [&](int at) DGTD_INLINE { return __ldg(v_.sources.values + at_step + at); },
        [&](int place, int, double value) DGTD_INLINE {
          at_place(place, [&](int c, auto g, int r, int i) DGTD_INLINE {
            Number& to = u[c][r][i];
            to = Numbers::template with<g>(to, float(double(Numbers::template in_group<g>(to)) + value));
          });
        });
    if constexpr (field == 0 && !Kind::ports) store_after(range, at_step, u);
  }
  /// Ends E's half step in this warp's edges of ports in a plane at stage s, and stores what E is then. The same thread
  /// has an edge's place in all stages, so it needs to wait for no other one.
  template <int s>
  __device__ __forceinline__ void update_ports(int place, int plane, Number (&u)[3][R][V]) {
    if (plane < task_.source_planes[0] || plane >= task_.source_planes[1]) return;
    const VolumePorts& ports = v_.ports;
    const int2 range = m_.sources[place][2][warp_];
#pragma unroll 1
    for (int n = range.x; n < range.y; ++n) {
      const VolumeSourceTerm term = v_.sources.terms[n];
      const int at = place_of_lane(term);
      if (at < 0) continue;
      const std::int64_t at_step = s * ports.places + at;
      float e = 0;
      at_place(term.place,
               [&](int c, auto g, int r, int i) DGTD_INLINE { e = Numbers::template in_group<g>(u[c][r][i]); });
      step_of_edge(ports.edges[at], ports.values[at_step], 1.0, ports.time_step, e, ports.states[at],
                   ports.records + 3 * at_step);
      at_place(term.place,
               [&](int c, auto g, int r, int i) DGTD_INLINE { u[c][r][i] = Numbers::template with<g>(u[c][r][i], e); });
    }
    store_after(m_.sources[place][0][warp_], s * v_.sources.places, u);
  }

 private:
  /// E of the terms' entries after the step.
  __device__ __forceinline__ void store_after(const int2& range, std::int64_t at_step, const Number (&u)[3][R][V]) {
    const auto no_value = [](int) DGTD_INLINE { return 0.; };
    each_term(range, no_value, [&](int place, int at, double) DGTD_INLINE {
      at_place(place, [&](int c, auto g, int r, int i)
                          DGTD_INLINE { v_.sources.after[at_step + at] = Numbers::template in_group<g>(u[c][r][i]); });
    });
  }
  /// The place of the lane's entry of a term; -1: it has none.
  __device__ __forceinline__ int place_of_lane(const VolumeSourceTerm& term) const {
    return term.lanes >> lane_ & 1 ? term.first + __popc(term.lanes & ((1u << lane_) - 1)) : -1;
  }
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
        at[n] = place_of_lane(term);
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
