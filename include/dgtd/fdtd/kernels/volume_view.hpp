#pragma once
// Data of passes of several steps over a volume grid (cuda/fdtd/volume_tile.hpp): plain numbers and
// pointers.
#include <compare>

#include "dgtd/fdtd/kernels/views.hpp"

namespace dgtd::fdtd {

/// The shape of a tile: a warp has two rows, a thread two columns of them. Where a number of a thread holds two cells,
/// a tile has two such groups of rows above each other.
struct VolumeTileShape {
  static constexpr int cells_per_lane = 2, rows_per_warp = 2, warps = 12;
  static constexpr int columns = 32 * cells_per_lane, rows_of_group = warps * rows_per_warp;
  /// Largest part of a tile in an absorbing layer: so many lanes along x, so many warps along y.
  static constexpr int layer_lanes = 8, layer_warps = 6;
  /// Planes of a task and those that it needs beside them; of a task in a layer along z; of one whose planes differ.
  static constexpr int most_planes = 440, most_planes_in_layer = 136, most_planes_that_differ = 192;
};

/// The media of a tile's cells: all the common one; a class per component, from a table in memory; so few classes that
/// the tile has the table; Cb per component, of media without losses.
enum class TileMedia { common, classes, few_classes, Cb };
inline constexpr int most_few_classes = 6144;  // for which a multiprocessor has room

/// Contents of a tile for which there are kernels.
struct VolumeTileContent {
  int layers = 0;  // axes with absorbing layers (1 x, 2 y, 4 z)
  TileMedia media = TileMedia::common;
  bool sourced = false, damped = false;  // sources; an adiabatic absorber
  /// Layers along z and Cb per component are in different planes, far apart, and looked up for each plane; others have
  /// neither.
  bool by_plane = false;
  bool ports = false;  // edges of lumped ports
  /// Planes of a task and those that it needs beside them.
  constexpr int most_planes() const {
    using Shape = VolumeTileShape;
    return by_plane ? Shape::most_planes_that_differ : layers == 4 ? Shape::most_planes_in_layer : Shape::most_planes;
  }
  auto operator<=>(const VolumeTileContent&) const = default;
};

/// A tile from cell (x, y) on, and the cells first <= cell < end that it stores.
struct VolumeTask {
  int x, y;
  int first[3], end[3];
  int sources;           // index of its first range in VolumeSources::begin; -1: it has none
  int source_planes[2];  // first and end of the planes that have entries
};

/// Entries of sources at one of a thread's cells, for lanes of a warp. They have places in the order of the lanes: one
/// entry has as many as tiles compute its cell.
struct VolumeSourceTerm {
  int place;       // ((component * row groups + group) * rows_per_warp + row) * cells_per_lane + column
  unsigned lanes;  // bit n: lane n has an entry
  int first;       // place of the first of them
};

/// Terms of a task's warp in a plane: from begin[n] to begin[n + 1] with
/// n = task.sources + ((plane - first plane) * fields + field) * warps + warp. There are two fields, E and H, and in
/// tiles with ports these as a third one, whose terms have places in VolumePorts.
struct VolumeSources {
  const int* begin;
  const VolumeSourceTerm* terms;
  const double* values;  // [step][places] what is added, in units of the fields
  float* after;          // [step][places] of E: the component after the step, likewise
  std::int64_t places;
};

struct PortEdge;
template <class Real>
struct PortState;

/// Edges of lumped ports by place, as those of sources; units of the fields are 1 V/m.
struct VolumePorts {
  const PortEdge* edges;     // [places]
  const double* values;      // [step][places] the source's voltage, V
  PortState<float>* states;  // [places]
  double* records;           // [step][places][3] V, I and V I
  std::int64_t places;
  double time_step;  // s
};

/// psi of an absorbing axis, in the order of HalfStepView::layer. A plane's slots follow each other.
struct VolumeLayer {
  const float *b[2], *c[2];  // [padded cells] of E and of H: AxisView
  const float* old_psi[2];   // of E and of H, before the pass
  float* new_psi[2];         // after it
  const int* slot_of_tile;   // [tile y][tile x] its place among the slots of a plane; -1: none
  int slots_of_plane;        // x, y: the same for every plane
  const int* slot_of_plane;  // z: [cells z] slots before those of the plane; -1: none
};

struct VolumeView {
  int cells[3];
  std::int64_t row, plane, reals, origin;  // GridLayout; index(0, 0, 0)
  int tiles_x;
  void* new_field[2];              // [3][reals] E, H after the pass, as they are stored
  const float* coefficient[2][3];  // [padded cells] of E, H along an axis: Cb of the common class over the distance
  float Cb[2];                     // of the common class, whose Ca is 1
  float length, per_length;        // HalfStepView
  const float* inverse[3];         // [padded cells] AxisView::inverse_distance of E
  // [reals] of the components of E: class_stride times the place of the class in `classes` in bytes; 0: the common
  // class; null: all are of it.
  const std::uint16_t* class_of[3];
  unsigned class_stride;
  const MediumClass<float>* classes;  // [class_count]; the common one is 0
  int class_count;
  const float* damping[3][2];  // [padded cells] HalfStepView::damping; null: there is none
  VolumeLayer layer[3];
  VolumeSources sources;
  const VolumeTask* tasks;
  unsigned* pace;  // [wave][1 + pace_planes] tasks that have begun, and those that have come to a plane; zero before
  unsigned pace_wave, pace_planes;  // tasks that begin together; planes of a task
  // Cb of TileMedia::Cb: [planes][plane] of the components of E times per_length, as fields are stored, in the planes
  // Cb_planes[0] <= plane < Cb_planes[1]; others are of the common class.
  const void* Cb_of[3];
  int Cb_planes[2];
  std::int64_t Cb_origin;  // index of cell (0, 0, 0), which may be before the array
  VolumePorts ports;
};

}  // namespace dgtd::fdtd
