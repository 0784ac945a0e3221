#pragma once
// Parameters of a tile of a pass over a volume grid, and its arrays in shared memory (volume_tile.hpp).
#include "../parallel/tensor_copy.hpp"
#include "volume_numbers.hpp"

namespace dgtd::fdtd {

using parallel::SharedBarrier;

/// Whether all lanes of a warp arrive at a barrier, not one for all: slower, but compute-sanitizer's racecheck follows
/// it (CMake option DGTD_RACECHECK).
#if defined(DGTD_RACECHECK)
inline constexpr int arriving_lanes = 32;
#else
inline constexpr int arriving_lanes = 1;
#endif

/// Parameters for which a tile is compiled. Number_: type of its arithmetic (volume_numbers.hpp).
template <class Number_, int steps_, VolumeTileContent content_>
struct VolumeTileKind : VolumeTileShape {
  using Number = Number_;
  using Numbers = TileNumbers<Number>;
  using Columns = typename Numbers::Columns;
  static constexpr int row_groups = Numbers::row_groups, rows = row_groups * rows_of_group;
  static constexpr VolumeTileContent content = content_;
  static constexpr int steps = steps_, layers = content.layers;
  static constexpr bool mixed = content.media != TileMedia::common, Cb = content.media == TileMedia::Cb;
  static constexpr bool sourced = content.sourced, damped = content.damped, by_plane = content.by_plane;
  static constexpr bool ports = content.ports;
  static constexpr int listed_fields = ports ? 3 : 2;  // VolumeSources
  static constexpr bool in_layer(int axis) { return layers >> axis & 1; }
  // Which way is faster was measured.
  static constexpr bool stores_in_branches = row_groups > 1 && !by_plane;
  static constexpr bool unrolled_by_two = row_groups == 1 && content == VolumeTileContent{};
  static constexpr bool has_table = content.media == TileMedia::few_classes;
  // The task in shared memory. Else the compiler spills it, and every plane waits for it; and registers are left for
  // inverse distances. Kernels with layers spill more with it.
  static constexpr bool shared_task = has_table && layers == 0, inverse_in_registers = shared_task;
  static constexpr int turn = steps + 1;  // planes of which something is kept
  // psi between the stages: along z in shared memory if there is room, else in local memory.
  static constexpr bool shared_z = layers == 4 || (layers == 5 && row_groups == 1);
  static constexpr bool shared_media = Cb ? layers == 0 : mixed && layers < 2 && row_groups == 1;  // likewise
  // Media of two adjacent cells: numbers of classes, or Cb.
  using Media = std::conditional_t<Cb, typename Numbers::TwoStored, unsigned>;
  // psi along x and y of the plane that comes: as it is in memory where that is not what is computed with.
  static constexpr bool staged_psi = row_groups > 1;
  // Coefficients of layers along z in shared memory, if there is room.
  static constexpr bool shared_layer_z = in_layer(2) && !(mixed && layers == 7);
  static constexpr int psi_planes = staged_psi ? steps : turn, psi_planes_z = steps;
  static constexpr int planes = content.most_planes();  // that a task computes
};

/// Media of a thread's cells in a group of rows.
template <class Media>
struct alignas(2 * sizeof(Media)) MediaOfRows {
  Media of_row[VolumeTileShape::rows_per_warp];
};

/// Values of a thread between stages, found by a number that is not known to the compiler: in local memory. They are
/// no part of the tile's object, all of which would be there then.
template <class Kind>
struct VolumeTileLocals {
  typename Kind::Columns psi_z[Kind::in_layer(2) && !Kind::shared_z ? Kind::turn : 1][4][Kind::rows_per_warp];
  MediaOfRows<typename Kind::Media> media[Kind::mixed && !Kind::shared_media && !Kind::by_plane ? Kind::turn : 1][3]
                                         [Kind::row_groups];
};

/// A plane in an absorbing layer along z: coefficients of psi of E and H, and its place in memory.
template <class Number>
struct PlaneOfLayer {
  Number b[2], c[2];
  int slots_before;  // slots of planes before it; -1: it is in no layer
};

/// Slot of the plane of an iteration among so many in flight, which take turns.
template <int planes>
struct PlaneTurn {
  unsigned slot = 0, phase = 0;  // phase: parity of the turns before
  __device__ __forceinline__ PlaneTurn next() const {
    if constexpr (planes == 1) return {0, phase ^ 1};
    else return slot + 1 < planes ? PlaneTurn{slot + 1, phase} : PlaneTurn{0, phase ^ 1};
  }
  __device__ __forceinline__ void wait(SharedBarrier (&here)[planes]) const { here[slot].wait(phase); }
};

/// A tile's arrays in shared memory, with so many planes on their way.
template <class Kind, int electric_planes_, int magnetic_planes_>
struct VolumeTileMemoryOf {
  static constexpr int electric_planes = electric_planes_, magnetic_planes = magnetic_planes_;
  static constexpr int columns = Kind::columns, rows = Kind::rows, warps = Kind::warps, steps = Kind::steps;
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  using Columns = typename Kind::Columns;
  static constexpr int margin = Numbers::margin, staged_columns = columns + margin + Numbers::more_columns,
                       staged_rows = rows + Numbers::more_rows;
  struct alignas(128) Plane {
    typename Numbers::Stored component[3][staged_rows][staged_columns];
  };
  static constexpr unsigned bytes_of_plane = sizeof(typename Numbers::Stored) * 3 * staged_rows * staged_columns;

  Plane electric[electric_planes], magnetic[magnetic_planes];
  // Rows between warps, for warp w, [parity of the stage that writes]: of H below its first row, of E above its last
  // one. Those of E are of the plane that the next stage comes to. A warp has read them when it arrives at the stage
  // after the one that writes; only then do its neighbours come to the next one, which writes them again.
  Number h_rows[2][2][warps][columns];  // Hz, Hx
  Number e_rows[2][2][warps][columns];  // Ez, Ex
  Columns psi_x[Kind::in_layer(0) ? Kind::psi_planes : 0][4][Kind::rows_per_warp][warps * Kind::layer_lanes];
  Columns psi_y[Kind::in_layer(1) ? Kind::psi_planes : 0][4][Kind::rows_per_warp][Kind::layer_warps * 32];
  // Kinds by plane have Cb of other planes there, too.
  alignas(16) Columns psi_z[Kind::shared_z ? Kind::psi_planes_z : 0][4][Kind::rows_per_warp][warps * 32];
  // psi of the plane that comes, of two cells: of x in each group of rows, of y in the one that a warp has in a layer.
  static constexpr int staged_x = Kind::staged_psi && Kind::in_layer(0) ? 4 : 0;
  static constexpr int staged_y = Kind::staged_psi && Kind::in_layer(1) ? 4 : 0;
  float2 coming_x[staged_x][Kind::rows_per_warp][Kind::row_groups][warps * Kind::layer_lanes];
  float2 coming_y[staged_y][Kind::rows_per_warp][Kind::layer_warps * 32];
  MediaOfRows<typename Kind::Media> media[Kind::shared_media ? Kind::turn : 0][3][Kind::row_groups][warps * 32];
  /// By plane: the thread's Cb of component c in the planes of a turn.
  __device__ __forceinline__ MediaOfRows<typename Kind::Media>& Cb_in_psi_z(int place, int c, int group) {
    using AllCb = MediaOfRows<typename Kind::Media>[Kind::turn][3][Kind::row_groups][warps * 32];
    static_assert(!Kind::by_plane || sizeof(AllCb) <= sizeof(psi_z));
    return reinterpret_cast<AllCb&>(psi_z)[place][c][group][threadIdx.x];
  }
  VolumeTask task;  // Kind::shared_task
  alignas(8) MediumClass<float> classes[Kind::has_table ? most_few_classes : 0];
  // [plane of a turn][field] begin and end of a warp's terms
  int2 sources[Kind::sourced ? Kind::turn : 0][Kind::listed_fields][warps];
  SharedBarrier electric_here[electric_planes], magnetic_here[magnetic_planes];
  SharedBarrier read_by_all[2];                                           // of an even, odd iteration
  SharedBarrier neighbours[warps + 2][2];                                 // of warp w - 1, in an even, odd stage
  Columns coefficient_z[Kind::planes];                                    // of E, H in plane first + n - steps
  PlaneOfLayer<Number> layer_z[Kind::shared_layer_z ? Kind::planes : 0];  // of the same planes
  // [iteration] whether the planes of all its stages, and the next one, have the common media and no layer.
  bool of_common_planes[Kind::by_plane ? Kind::planes : 0];
  // 1 over distances, in lengths (TileNumbers).
  Number inverse_z[Kind::mixed ? Kind::planes : 1];
  Number inverse_x[Kind::mixed ? columns : 1], inverse_y[Kind::mixed ? Kind::rows_of_group : 1];
  // Factors of an adiabatic absorber, at nodes and at centres.
  float2 damping_x[Kind::damped ? columns : 0], damping_y[Kind::damped ? rows : 0];
  float2 damping_z[Kind::damped ? Kind::planes : 0];
};

inline constexpr std::size_t most_shared_bytes = 232448;  // of a thread block

/// With as many planes on their way as there is room for.
template <class Kind>
using VolumeTileMemory =
    std::conditional_t<sizeof(VolumeTileMemoryOf<Kind, 3, 2>) <= most_shared_bytes, VolumeTileMemoryOf<Kind, 3, 2>,
                       std::conditional_t<sizeof(VolumeTileMemoryOf<Kind, 2, 2>) <= most_shared_bytes,
                                          VolumeTileMemoryOf<Kind, 2, 2>, VolumeTileMemoryOf<Kind, 2, 1>>>;

}  // namespace dgtd::fdtd
