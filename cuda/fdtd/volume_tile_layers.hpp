#pragma once
// The sums psi of absorbing layers in a tile of a pass over a volume grid, from and to memory and between the stages.
//
// psi of x and y of a plane comes to shared memory before the iteration that needs it; outside the grid it is zero, so
// that stages have no condition. Where it is not computed with as it is in memory, it comes to a place of its own,
// which stage 0 reads. That of z is read by stage 0 from memory.
#include "dgtd/fdtd/kernels/curl.hpp"
#include "volume_tile_memory.hpp"

namespace dgtd::fdtd {

template <class Kind>
class VolumeTileLayers {
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  using Columns = typename Kind::Columns;
  static constexpr int R = Kind::rows_per_warp, V = Kind::cells_per_lane, steps = Kind::steps;
  static constexpr int groups = Kind::row_groups;
  static constexpr int x = 0, y = 1, z = 2;

 public:
  using Psi = Number[2][R][V];  // the two psi of an axis' E or H, in cyclic order of the components that they feed

  __device__ __forceinline__ VolumeTileLayers(const VolumeView& v, const VolumeTask& task,
                                              VolumeTileMemory<Kind>& memory, VolumeTileLocals<Kind>& locals, int lane,
                                              int warp)
      : v_(v), task_(task), m_(memory), locals_(locals), lane_(lane), warp_(warp) {}

  /// Finds psi of a thread whose first cell in a group of rows is (column, row). inside: in the grid; touches: whether
  /// its cells are in a layer along an axis (along z planes tell); stores: its cells are the task's, stores_upper:
  /// those of its second row too.
  __device__ __forceinline__ void find(int group, int column, int row, bool inside, const bool (&touches)[3],
                                       bool stores, bool stores_upper) {
    stores_[group] = stores, stores_upper_[group] = stores_upper;
    if constexpr (Kind::layers == 0) return;
    const int tile = (row / tile_cells(1)) * v_.tiles_x + column / tile_cells(0);
    const int cell = (row % tile_cells(1)) * tile_cells(0) + column % tile_cells(0);
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      if (!Kind::in_layer(a)) continue;
      const int slot = inside ? __ldg(v_.layer[a].slot_of_tile + tile) : -1;
      psi_at_[a][group] = slot >= 0 && touches[a] ? slot * 2 * cells_of_tile_plane + cell : -1;
    }
  }

  /// Slots of an axis' layers before those of a plane; -1: the plane has none.
  __device__ __forceinline__ int slots_before(int axis, int plane) const {
    if (plane < 0 || plane >= v_.cells[z]) return -1;
    return axis == z ? __ldg(v_.layer[z].slot_of_plane + plane) : plane * v_.layer[axis].slots_of_plane;
  }
  /// Where nothing drives them, sums along z remain zero, although the plane's tile has a place for them.
  __device__ __forceinline__ PlaneOfLayer<Number> plane_of_layer(int plane) const {
    PlaneOfLayer<Number> of{{}, {}, -1};
    if (plane < 0 || plane >= v_.cells[z]) return of;
    bool driven = false;
#pragma unroll
    for (int f = 0; f < 2; ++f) {
      const float c = __ldg(v_.layer[z].c[f] + plane);
      driven = driven || c != 0;
      of.b[f] = Numbers::same(__ldg(v_.layer[z].b[f] + plane));
      of.c[f] = Numbers::same(Numbers::in_lengths(c, v_.length));
    }
    if (driven) of.slots_before = slots_before(z, plane);
    return of;
  }
  /// Asks for psi of x and y of a plane. place: of the plane among those in shared memory.
  __device__ __forceinline__ void copy(int place, int plane) {
#pragma unroll
    for (int a = 0; a < 2; ++a) {
      if (!Kind::in_layer(a) || !has_psi(a)) continue;
      const int before = slots_before(a, plane);
#pragma unroll
      for (int which = 0; which < 4; ++which)
#pragma unroll
        for (int r = 0; r < R; ++r) {
          const float* const old_psi = v_.layer[a].old_psi[which / 2];
          if constexpr (Kind::staged_psi) {
#pragma unroll
            for (int g = 0; g < (a == x ? groups : 1); ++g) {
              const int at = a == x ? psi_at_[x][g] : psi_at_y();
              parallel::copy_bytes_if<8>(before >= 0 && at >= 0, &coming(a, which, r, g),
                                         psi_of(old_psi, at, before, which % 2, r));
            }
          } else {
            Columns* const to = &psi_place(a, place, which, r);
            if (before < 0) *to = Columns{};
            else parallel::copy_bytes<8>(to, psi_of(old_psi, psi_at_[a][0], before, which % 2, r));
          }
        }
    }
  }
  /// Brings psi of z of a plane to the second cache, where stage 0 finds it an iteration later.
  __device__ __forceinline__ void prefetch_z(int before) {
    if (before < 0) return;
#pragma unroll
    for (int field = 0; field < 2; ++field)
#pragma unroll
      for (int which = 0; which < 2; ++which)
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
          for (int g = 0; g < groups; ++g)
            parallel::prefetch_if(psi_at_[z][g] >= 0,
                                  psi_of(v_.layer[z].old_psi[field], psi_at_[z][g], before, which, r));
  }
  /// Gets psi of E or H along an axis, for stage s in a plane; before_z: slots before the plane's along z.
  template <int axis, int s>
  __device__ __forceinline__ void get(int field, int place, int before_z, Psi& psi) {
    const bool here = has_psi(axis) && (axis != z || before_z >= 0);
#pragma unroll
    for (int which = 0; which < 2; ++which)
#pragma unroll
      for (int r = 0; r < R; ++r) {
        Columns both{};
        if constexpr (groups > 1 && axis == z && s == 0) {
          both = old_psi_z(field, before_z, which, r);
        } else if (here) {
          if constexpr (axis == z && s == 0) both = old_psi_z(field, before_z, which, r);
          else if constexpr (Kind::staged_psi && s == 0) both = psi_that_came(axis, field * 2 + which, r);
          else if constexpr (axis == z && !Kind::shared_z) both = locals_.psi_z[place][field * 2 + which][r];
          else both = psi_place(axis, place, field * 2 + which, r);
        }
        psi[which][r][0] = both.x, psi[which][r][1] = both.y;
      }
  }
  template <int axis, int s>
  __device__ __forceinline__ void put(int field, int place, int before_z, int plane, const Psi& psi) {
    if (!has_psi(axis) || (axis == z && before_z < 0)) return;
    if constexpr (s == steps - 1) {
      if (plane < task_.first[z] || plane >= task_.end[z]) return;
      const int before = axis == z ? before_z : slots_before(axis, plane);
      static_for<groups>([&](auto g) DGTD_INLINE {
        if (!stores_[g] || psi_at_[axis][g] < 0) return;
#pragma unroll
        for (int which = 0; which < 2; ++which)
#pragma unroll
          for (int r = 0; r < R; ++r) {
            if (r > 0 && !stores_upper_[g]) continue;
            const auto value = [&](int i) DGTD_INLINE {
              return Numbers::from_lengths(Numbers::template in_group<g>(psi[which][r][i]), v_.per_length);
            };
            *reinterpret_cast<float2*>(psi_of(v_.layer[axis].new_psi[field], psi_at_[axis][g], before, which, r)) =
                make_float2(value(0), value(1));
          }
      });
    } else {
#pragma unroll
      for (int which = 0; which < 2; ++which)
#pragma unroll
        for (int r = 0; r < R; ++r) {
          const Columns both = Numbers::columns(psi[which][r][0], psi[which][r][1]);
          if constexpr (axis == z && !Kind::shared_z) locals_.psi_z[place][field * 2 + which][r] = both;
          else psi_place(axis, place, field * 2 + which, r) = both;
        }
    }
  }

 private:
  /// Whether cells of the thread have psi of that axis.
  __device__ __forceinline__ bool has_psi(int axis) const {
    bool has = false;
#pragma unroll
    for (int g = 0; g < groups; ++g) has = has || psi_at_[axis][g] >= 0;
    return has;
  }
  /// Address of the r-th row of a group in an axis' array of psi. at: psi_at_ of the axis and the group.
  template <class Real>
  static __device__ __forceinline__ Real* psi_of(Real* psi, int at, int before, int which, int r) {
    return psi + (std::int64_t(before) * 2 * cells_of_tile_plane + at) + which * cells_of_tile_plane +
           r * tile_cells(0);
  }
  /// Layers along y touch one of a warp's groups of rows at most: VolumeTileShape::layer_warps.
  __device__ __forceinline__ int psi_at_y() const { return max(psi_at_[y][0], psi_at_[y][groups - 1]); }
  /// psi of z of the thread's two columns before the pass.
  __device__ __forceinline__ Columns old_psi_z(int field, int before, int which, int r) const {
    float2 of[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const float* const from = psi_of(v_.layer[z].old_psi[field], psi_at_[z][g], before, which, r);
      of[g] = groups == 1 ? __ldg(reinterpret_cast<const float2*>(from))
                          : parallel::load_if(before >= 0 && psi_at_[z][g] >= 0, from);
    }
    return columns_of(of);
  }
  /// psi of x or y of the thread's two columns in the plane that has come.
  __device__ __forceinline__ Columns psi_that_came(int axis, int which, int r) {
    float2 of[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      of[g] = coming(axis, which, r, axis == x ? g : 0);
      if (axis == y && psi_at_[y][g] < 0) of[g] = make_float2(0, 0);
    }
    return columns_of(of);
  }
  __device__ __forceinline__ Columns columns_of(const float2 (&of)[groups]) const {
    return Numbers::columns(
        Numbers::of_groups([&](int g) DGTD_INLINE { return Numbers::in_lengths(of[g].x, v_.length); }),
        Numbers::of_groups([&](int g) DGTD_INLINE { return Numbers::in_lengths(of[g].y, v_.length); }));
  }
  __device__ __forceinline__ float2& coming(int axis, int which, int r, int group) {
    if (axis == x) return m_.coming_x[which][r][group][warp_ * Kind::layer_lanes + lane_ % Kind::layer_lanes];
    return m_.coming_y[which][r][warp_ % Kind::layer_warps * 32 + lane_];
  }
  /// place: of the plane among those in shared memory.
  __device__ __forceinline__ Columns& psi_place(int axis, int place, int which, int r) {
    if (axis == x) return m_.psi_x[place][which][r][warp_ * Kind::layer_lanes + lane_ % Kind::layer_lanes];
    if (axis == y) return m_.psi_y[place][which][r][warp_ % Kind::layer_warps * 32 + lane_];
    return m_.psi_z[place][which][r][threadIdx.x];
  }

  const VolumeView& v_;
  const VolumeTask& task_;
  VolumeTileMemory<Kind>& m_;
  VolumeTileLocals<Kind>& locals_;
  const int lane_, warp_;
  bool stores_[groups], stores_upper_[groups];
  int psi_at_[3][groups];  // of the thread's cells in a plane's slots; -1: they have none
};

}  // namespace dgtd::fdtd
