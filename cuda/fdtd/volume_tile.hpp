#pragma once
// Several steps of a volume grid in one pass over memory: a thread block takes a tile of 64 x 24 columns of cells
// (64 x 48 where a number is two halves) and walks along z. When plane k arrives at time level n, plane k - s goes from
// level n + s to n + s + 1 (stage s): H(p) from E(p), E(p + 1), then E(p) from H(p), H(p - 1). After `steps` stages a
// plane is stored. `steps` cells at each of the tile's sides are computed twice. The arithmetic is that of UpdateField
// (kernels/update_field.hpp), operation by operation.
//
// Cells of a plane are in registers: two rows per warp, two columns per lane. Neighbours along x: in the warp; along y
// the warps exchange Ez, Ex of their first row and Hz, Hx of their last one through shared memory, each waiting for its
// two neighbours only. Planes that arrive are copied to shared memory by the copy engine (tensor_copy.hpp).
#include "dgtd/fdtd/kernels/curl.hpp"
#include "volume_pace.hpp"
#include "volume_tile_layers.hpp"
#include "volume_tile_media.hpp"
#include "volume_tile_sources.hpp"

namespace dgtd::fdtd {

template <class Kind>
class VolumeTile {
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  using Columns = typename Kind::Columns;
  using Memory = VolumeTileMemory<Kind>;
  using Locals = VolumeTileLocals<Kind>;
  using Media = VolumeTileMedia<Kind>;
  static constexpr int steps = Kind::steps, turn = Kind::turn, warps = Kind::warps;
  static constexpr int R = Kind::rows_per_warp, V = Kind::cells_per_lane, groups = Kind::row_groups;
  static constexpr bool mixed = Kind::mixed, sourced = Kind::sourced, damped = Kind::damped;
  static constexpr bool in(int axes, int axis) { return axes >> axis & 1; }
  static_assert(steps % 2 == 0, "a stage and the same one of the next iteration have the same parity");
  static constexpr int electric = 0, magnetic = 1;
  // For planes, after the one that reads them; which is faster was measured.
  static constexpr int stage_that_asks = groups > 1 && Memory::electric_planes > 2 ? 2 : 1;
  // The first warp also has the rows above those of the last one.
  static constexpr bool ring = groups > 1;
  static constexpr int x = 0, y = 1, z = 2;

 public:
  __device__ __forceinline__ VolumeTile(const CUtensorMap& electric_map, const CUtensorMap& magnetic_map,
                                        const VolumeView& v, const VolumeTask& task, Memory& memory, Locals& locals)
      : electric_map_(electric_map),
        magnetic_map_(magnetic_map),
        v_(v),
        task_(task),
        m_(memory),
        lane_(int(kept_in_register(threadIdx.x)) & 31),
        warp_(__shfl_sync(~0u, int(threadIdx.x) >> 5, 0)),
        first_plane_(max(task.first[z] - steps, 0)),
        pace_(v, lane_),
        layers_(v, task, memory, locals, lane_, warp_),
        media_(v, memory, locals, task.x + lane_ * V, task.y + warp_ * R),
        sources_(v, task, memory, lane_, warp_, first_plane_) {
    column_ = task.x + lane_ * V;
    row_ = task.y + warp_ * R;
    iterations_ = task.end[z] + steps - 1 - first_plane_;
    stores_second_ = column_ + 1 < task.end[x];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int row = row_of_group(g);
      stores_[g][0] = column_ >= task.first[x] && column_ < task.end[x] && row >= task.first[y] && row < task.end[y];
      stores_[g][1] = stores_[g][0] && row + 1 < task.end[y];
    }
#pragma unroll
    for (int f = 0; f < 2; ++f) {
#pragma unroll
      for (int i = 0; i < V; ++i) {
        along_x_[f][i] = Numbers::same(at_column(v.coefficient[f][x], i));
        if constexpr (Kind::in_layer(x)) {
          b_x_[f][i] = Numbers::same(at_column(v.layer[x].b[f], i));
          c_x_[f][i] = Numbers::same(Numbers::in_lengths(at_column(v.layer[x].c[f], i), v.length));
        }
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        along_y_[f][r] = at_row(v.coefficient[f][y], r);
        if constexpr (Kind::in_layer(y)) {
          b_y_[f][r] = at_row(v.layer[y].b[f], r);
          c_y_[f][r] = Numbers::of_groups(
              [&](int g) DGTD_INLINE { return Numbers::in_lengths(at_row_of_group(v.layer[y].c[f], r, g), v.length); });
        }
      }
    }
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int row = row_of_group(g);
      const bool inside = column_ >= 0 && column_ < v.cells[x] && row >= 0 && row < v.cells[y];
      bool touches[3] = {false, false, true};
#pragma unroll
      for (int f = 0; f < 2; ++f)
#pragma unroll
        for (int n = 0; n < 2; ++n) {
          if constexpr (Kind::in_layer(x)) touches[x] = touches[x] || at_column(v.layer[x].c[f], n) != 0;
          if constexpr (Kind::in_layer(y)) touches[y] = touches[y] || at_row_of_group(v.layer[y].c[f], n, g) != 0;
        }
      layers_.find(g, column_, row, inside, touches, stores_[g][0], stores_[g][1]);
    }
#pragma unroll
    for (int s = 0; s <= steps; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c)
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
          for (int i = 0; i < V; ++i) level_[s].e[c][r][i] = level_[s].h[c][r][i] = Number{};
  }

  __device__ __forceinline__ void run() {
    prepare();
#pragma unroll 1
    for (int it = 0, place = 0; it < iterations_; ++it, place = after(place, 1)) {
      if (Kind::by_plane && m_.of_common_planes[it]) iteration<true>(it, place);
      else iteration<false>(it, place);
      if constexpr (Kind::unrolled_by_two) {
        if (++it >= iterations_) break;
        place = after(place, 1);
        iteration<false>(it, place);
      }
    }
    finish();
  }

 private:
  struct Level {  // a thread's cells of a plane
    Number e[3][R][V], h[3][R][V];
  };
  using Psi = typename VolumeTileLayers<Kind>::Psi;

  // ---- set-up

  /// The thread's first row in a group.
  __device__ __forceinline__ int row_of_group(int group) const { return row_ + group * Kind::rows_of_group; }
  /// Value at the thread's i-th column, or r-th row of a group, from an array along x or y; 0 outside the grid.
  __device__ __forceinline__ float at_column(const float* values, int i) const {
    return column_ + i >= 0 && column_ + i < v_.cells[x] ? values[column_ + i] : 0.f;
  }
  __device__ __forceinline__ float at_row_of_group(const float* values, int r, int group) const {
    const int row = row_of_group(group) + r;
    return row >= 0 && row < v_.cells[y] ? values[row] : 0.f;
  }
  __device__ __forceinline__ Number at_row(const float* values, int r) const {
    return Numbers::of_groups([&](int group) DGTD_INLINE { return at_row_of_group(values, r, group); });
  }

  __device__ __forceinline__ void prepare() {
    if (warp_ == 0) pace_.begin();
    for (int i = int(threadIdx.x); i < int(sizeof(m_.h_rows) / 4); i += warps * 32)
      (&m_.h_rows[0][0][0][0])[i] = (&m_.e_rows[0][0][0][0])[i] = Number{};
    for (int n = int(threadIdx.x); n < iterations_ + steps && n < Kind::planes; n += warps * 32) {
      const int p = first_plane_ + n - steps;
      const bool here = p >= 0 && p < v_.cells[z];
      m_.coefficient_z[n] = here ? Numbers::columns(Numbers::same(v_.coefficient[electric][z][p]),
                                                    Numbers::same(v_.coefficient[magnetic][z][p]))
                                 : Columns{};
      if constexpr (Kind::shared_layer_z) m_.layer_z[n] = layers_.plane_of_layer(p);
      if constexpr (mixed) m_.inverse_z[n] = media_.inverse_at(z, p);
      if constexpr (damped) m_.damping_z[n] = damping_at(z, p);
    }
    if constexpr (damped) {
      for (int i = int(threadIdx.x); i < Kind::columns; i += warps * 32) m_.damping_x[i] = damping_at(x, task_.x + i);
      for (int j = int(threadIdx.x); j < Kind::rows; j += warps * 32) m_.damping_y[j] = damping_at(y, task_.y + j);
    }
    if constexpr (mixed) {
      for (int i = int(threadIdx.x); i < Kind::columns; i += warps * 32)
        m_.inverse_x[i] = media_.inverse_at(x, task_.x + i);
      for (int j = int(threadIdx.x); j < Kind::rows_of_group; j += warps * 32)
        m_.inverse_y[j] = media_.inverse_at(y, task_.y + j);
      if constexpr (!Kind::by_plane) media_.clear();
      if constexpr (Kind::has_table) media_.copy_table();
      if (!Kind::by_plane || media_.has_Cb(first_plane_)) media_.copy(0, first_plane_);
    }
    if constexpr (Kind::by_plane)
      for (int it = int(threadIdx.x); it < iterations_ && it < Kind::planes; it += warps * 32) {
        bool all = true;
        for (int n = 1 - steps; n <= 1; ++n) {
          const int p = first_plane_ + it + n;
          all = all && !media_.has_Cb(p) && layers_.plane_of_layer(p).slots_before < 0;
        }
        m_.of_common_planes[it] = all;
      }
    if constexpr (sourced) sources_.copy(0, first_plane_);
    for (Columns* p = &m_.psi_x[0][0][0][0] + threadIdx.x; p < reinterpret_cast<Columns*>(&m_.psi_z); p += warps * 32)
      *p = Columns{};
    if (threadIdx.x == 0) {
      for (auto& b : m_.electric_here) b.start(1);
      for (auto& b : m_.magnetic_here) b.start(1);
      for (auto& b : m_.read_by_all) b.start(arriving_lanes * warps);
      for (int w = 0; w < warps + 2; ++w)
        for (auto& b : m_.neighbours[w]) b.start(arriving_lanes * (ring || (w >= 2 && w < warps) ? 2 : 1));
      parallel::publish_barriers();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 0; i < Memory::electric_planes; ++i) ask_electric(first_plane_ + i, i);
      for (int i = 0; i < Memory::magnetic_planes; ++i) ask_magnetic(first_plane_ + i, i);
    }
    if constexpr (Kind::in_layer(x) || Kind::in_layer(y)) layers_.copy(0, first_plane_);
    m_.electric_here[0].wait(0);
  }

  /// Factors at a node and at the centre after it.
  __device__ __forceinline__ float2 damping_at(int axis, int cell) const {
    if (v_.damping[axis][0] == nullptr || cell < 0 || cell >= v_.cells[axis]) return make_float2(1, 1);
    return make_float2(v_.damping[axis][0][cell], v_.damping[axis][1][cell]);
  }

  template <class F>
  static __device__ __forceinline__ Columns each(const Number (&a)[V], const F& f) {
    return Numbers::columns(f(a[0]), f(a[1]));
  }
  static __device__ __forceinline__ int after(int place, int planes) {
    return place + planes < turn ? place + planes : place + planes - turn;
  }

  /// Waits for copies that are still in flight, before the block ends.
  __device__ __forceinline__ void finish() {
    if (threadIdx.x == 0) pace_.end(iterations_);
    for (int i = 1; i < Memory::electric_planes; ++i) (electric_turn_ = electric_turn_.next()).wait(m_.electric_here);
    for (int i = 0; i < Memory::magnetic_planes; ++i, magnetic_turn_ = magnetic_turn_.next())
      magnetic_turn_.wait(m_.magnetic_here);
  }

  // ---- planes that arrive

  __device__ __forceinline__ void ask_electric(int plane, int slot) {
    m_.electric_here[slot].arrive_and_expect(Memory::bytes_of_plane);
    parallel::copy_box(&m_.electric[slot], electric_map_, m_.electric_here[slot],
                       task_.x - Memory::margin + tile_cells(0), task_.y + 1, plane + 1, 0);
  }
  __device__ __forceinline__ void ask_magnetic(int plane, int slot) {
    m_.magnetic_here[slot].arrive_and_expect(Memory::bytes_of_plane);
    parallel::copy_box(&m_.magnetic[slot], magnetic_map_, m_.magnetic_here[slot],
                       task_.x - Memory::margin + tile_cells(0), task_.y + 1, plane + 1, 0);
  }
  /// By one warp, in an iteration: the next planes into the places that all have read.
  __device__ __forceinline__ void ask_next(int it) {
    m_.read_by_all[it & 1].wait((it >> 1) & 1);
    pace_.keep(it);
    if (lane_ == 0) {
      ask_electric(first_plane_ + it + Memory::electric_planes, electric_turn_.slot);
      ask_magnetic(first_plane_ + it + Memory::magnetic_planes, magnetic_turn_.slot);
    }
    __syncwarp();
  }

  __device__ __forceinline__ Number common_Cb(int field) const {
    return Numbers::same(Numbers::in_lengths(v_.Cb[field], v_.per_length));
  }

  // ---- a stage

  template <int s, bool common>
  __device__ __forceinline__ void stage(int it, int place_of_first) {
    const int plane = first_plane_ + it - s;
    const int place = after(place_of_first, turn - s);  // of the plane among those whose media are kept
    const int place_of_steps = unsigned(it - s + steps) % steps;
    const int place_psi = Kind::staged_psi ? place_of_steps : place, place_z = Kind::shared_z ? place_of_steps : place;
    if constexpr (s + 1 < steps) write_electric_row<s>();
    const Columns along_z = m_.coefficient_z[it - s + steps];
    const int parity = it & 1, phase = it * steps + s;
    PlaneOfLayer<Number> layer_z{{}, {}, -1};
    if constexpr (Kind::shared_layer_z && !common) layer_z = m_.layer_z[it - s + steps];
    else if constexpr (Kind::in_layer(z) && !common) layer_z = layers_.plane_of_layer(plane);
    at_layers_of<common>(layer_z, [&](auto layers) DGTD_INLINE {
      update_magnetic<s, layers>(it, plane, place_psi, place_z, along_z.y, layer_z);
    });
    if constexpr (sourced) sources_.template add<magnetic, s>(place, plane, level_[s].h);
    write_magnetic_row<s>();
    __syncwarp();
    m_.neighbours[ring && warp_ == warps - 1 ? 1 : warp_ + 2][phase & 1].arrive_if(lane_ < arriving_lanes);
    m_.neighbours[ring && warp_ == 0 ? warps : warp_][phase & 1].arrive_if(lane_ < arriving_lanes);
    if constexpr (s == 0) m_.read_by_all[parity].arrive_if(lane_ < arriving_lanes);
    if constexpr (s == stage_that_asks)
      if (warp_ == 0) ask_next(it);
    at_layers_of<common>(layer_z, [&](auto layers) DGTD_INLINE {
      update_electric<s, layers, common>(it, plane, place, place_psi, place_z, along_z.x, layer_z, phase);
    });
    if constexpr (sourced) sources_.template add<electric, s>(place, plane, level_[s].e);
    if constexpr (Kind::ports) sources_.template update_ports<s>(place, plane, level_[s].e);
  }

  /// For the warp below, which needs them in the next stage.
  template <int s>
  __device__ __forceinline__ void write_electric_row() {
    const auto& e = level_[s + 1].e;
    auto& rows = m_.e_rows[s % 2];
    write_pair_if(warp_ > 0, &rows[0][warp_ - 1][lane_ * V], e[2][0]);
    write_pair_if(warp_ > 0, &rows[1][warp_ - 1][lane_ * V], e[0][0]);
    if constexpr (ring)
      if (warp_ == 0) {
        write_pair(&rows[0][warps - 1][lane_ * V], each(e[2][0], Numbers::upper_as_lower));
        write_pair(&rows[1][warps - 1][lane_ * V], each(e[0][0], Numbers::upper_as_lower));
      }
  }
  /// For the warp above, in this stage.
  template <int s>
  __device__ __forceinline__ void write_magnetic_row() {
    const auto& h = level_[s].h;
    auto& rows = m_.h_rows[s % 2];
    write_pair_if(warp_ < warps - 1, &rows[0][warp_ + 1][lane_ * V], h[2][R - 1]);
    write_pair_if(warp_ < warps - 1, &rows[1][warp_ + 1][lane_ * V], h[0][R - 1]);
    if constexpr (ring)
      if (warp_ == warps - 1) {
        write_pair(&rows[0][0][lane_ * V], each(h[2][R - 1], Numbers::lower_as_upper));
        write_pair(&rows[1][0][lane_ * V], each(h[0][R - 1], Numbers::lower_as_upper));
      }
  }

  /// f(axes of the layers that a plane is in).
  template <bool common, class F>
  __device__ __forceinline__ void at_layers_of(const PlaneOfLayer<Number>& layer_z, const F& f) {
    if constexpr (common) f(std::integral_constant<int, 0>{});
    else if constexpr (!Kind::by_plane) f(std::integral_constant<int, Kind::layers>{});
    else if (layer_z.slots_before >= 0) f(std::integral_constant<int, Kind::layers>{});
    else f(std::integral_constant<int, 0>{});
  }

  // In volume_tile_update.hpp. layers: axes of the layers that the plane is in; common: its media are the common one.
  template <int s, int layers>
  __device__ __forceinline__ void update_magnetic(int it, int plane, int place_psi, int place_z, Number along_z,
                                                  const PlaneOfLayer<Number>& layer_z);
  template <int s, int layers, bool common>
  __device__ __forceinline__ void update_electric(int it, int plane, int place, int place_psi, int place_z,
                                                  Number along_z, const PlaneOfLayer<Number>& layer_z, int phase);

  // ---- an iteration

  /// place_of_first: it modulo turn.
  template <bool common>
  __device__ __forceinline__ void iteration(int it, int place_of_first) {
    if constexpr (!common && (Kind::in_layer(x) || Kind::in_layer(y) || mixed)) parallel::wait_for_copies();
    if constexpr (sourced) __syncwarp();
    if constexpr (sourced) sources_.copy(after(place_of_first, 1), first_plane_ + it + 1);
    if (!common && mixed && (!Kind::by_plane || media_.has_Cb(first_plane_ + it + 1)))
      media_.copy(after(place_of_first, 1), first_plane_ + it + 1);
    if constexpr ((Kind::in_layer(x) || Kind::in_layer(y)) && !Kind::staged_psi)
      layers_.copy(after(place_of_first, 1), first_plane_ + it + 1);
    if constexpr (Kind::shared_layer_z && !common)
      if (it + 1 < iterations_) layers_.prefetch_z(m_.layer_z[it + 1 + steps].slots_before);
    pace_.look(it);
    electric_turn_.next().wait(m_.electric_here);
    magnetic_turn_.wait(m_.magnetic_here);
    static_for<steps>([&](auto s) DGTD_INLINE {
      stage<s, common>(it, place_of_first);
      if constexpr ((Kind::in_layer(x) || Kind::in_layer(y)) && Kind::staged_psi && s == 0)
        layers_.copy(0, first_plane_ + it + 1);  // stage 0 alone reads what has come
    });
    store(first_plane_ + it - (steps - 1));
    electric_turn_ = electric_turn_.next();
    magnetic_turn_ = magnetic_turn_.next();
#pragma unroll
    for (int s = steps; s > 0; --s) level_[s] = level_[s - 1];
  }

  __device__ __forceinline__ void store(int plane) {
    if (plane < task_.first[z] || plane >= task_.end[z]) return;
    // The last column of an odd number has none beside it.
    if (Kind::stores_in_branches || (task_.end[x] - task_.first[x]) % 2 != 0) store_columns<true>(plane);
    else store_columns<false>(plane);
  }
  // in_branches: a branch for each store, else none.
  template <bool in_branches>
  __device__ __forceinline__ void store_columns(int plane) {
    static_for<groups>([&](auto g) DGTD_INLINE {
      using Stored = typename Numbers::Stored;
      // Offset of the thread's first cell; the rest of an address is the same in the thread block.
      const unsigned of_thread = unsigned(row_of_group(g) * int(v_.row) + column_) * unsigned(sizeof(Stored));
#pragma unroll
      for (int f = 0; f < 2; ++f)
#pragma unroll
        for (int c = 0; c < 3; ++c)
#pragma unroll
          for (int r = 0; r < R; ++r) {
            Stored* const of_block =
                static_cast<Stored*>(v_.new_field[f]) + (v_.origin + c * v_.reals + plane * v_.plane + r * v_.row);
            auto* const to = reinterpret_cast<Stored*>(reinterpret_cast<char*>(of_block) + of_thread);
            const auto& from = f == 0 ? level_[steps - 1].e[c][r] : level_[steps - 1].h[c][r];
            if constexpr (!in_branches) Numbers::template write_if<g>(stores_[g][r], to, from);
            else if (stores_[g][r]) Numbers::template write<g>(to, from, stores_second_);
          }
    });
  }

  const CUtensorMap &electric_map_, &magnetic_map_;
  const VolumeView& v_;
  const VolumeTask& task_;
  Memory& m_;
  const int lane_, warp_;
  const int first_plane_;
  VolumePace pace_;
  VolumeTileLayers<Kind> layers_;
  Media media_;
  VolumeTileSources<Kind> sources_;
  int column_, row_;  // the thread's first cell
  int iterations_;
  bool stores_[groups][R], stores_second_;  // whether the task has a row's cells; the second column's
  PlaneTurn<Memory::electric_planes> electric_turn_;
  PlaneTurn<Memory::magnetic_planes> magnetic_turn_;
  Number along_x_[2][V], along_y_[2][R];  // of E, H: Cb of the common class over the distance; 0 outside the grid
  Number b_x_[2][Kind::in_layer(0) ? V : 1], c_x_[2][Kind::in_layer(0) ? V : 1];
  Number b_y_[2][Kind::in_layer(1) ? R : 1], c_y_[2][Kind::in_layer(1) ? R : 1];
  Level level_[steps + 1];  // [stage] the plane that it has computed; of the last one, the plane below
};

/// The thread block's task.
template <class Kind>
__device__ __forceinline__ void run_tile(const CUtensorMap& electric_map, const CUtensorMap& magnetic_map,
                                         const VolumeView& v, VolumeTileMemory<Kind>& memory) {
  // Outside of the tile: an object that holds its own address is in local memory as a whole.
  const VolumeTask task = v.tasks[blockIdx.x];
  VolumeTileLocals<Kind> locals;
  if constexpr (Kind::shared_task) {
    if (threadIdx.x == 0) memory.task = task;
    __syncthreads();
  }
  VolumeTile<Kind>(electric_map, magnetic_map, v, Kind::shared_task ? memory.task : task, memory, locals).run();
}

template <class Kind>
__global__ void __launch_bounds__(Kind::warps * 32, 1)
    volume_kernel(const __grid_constant__ CUtensorMap electric_map, const __grid_constant__ CUtensorMap magnetic_map,
                  const __grid_constant__ VolumeView v) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared[];
  run_tile<Kind>(electric_map, magnetic_map, v, *reinterpret_cast<VolumeTileMemory<Kind>*>(shared));
#endif
}

}  // namespace dgtd::fdtd
