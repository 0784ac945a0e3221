#pragma once
// Tables of passes of several steps over a volume grid (kernels/volume_view.hpp): media by number,
// the places of absorbing layers' sums, and the tiles in groups that one kernel serves. Planes are counted from the
// lowest stored one on, which on ranks above others is a neighbour's (GridLayout::below).
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/zeroed.hpp"
#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/fdtd/kernels/volume_view.hpp"
#include "fdtd/media/half_arithmetic.hpp"
#include "fdtd/steps/passes/volume_margins.hpp"

namespace dgtd::fdtd {

/// Where there are more classes of media, tiles without losses have Cb per cell (TileMedia). A class has 8 bytes,
/// and the first cache has 28 kB besides a tile's shared memory: fields pass through it, too.
inline constexpr std::size_t most_gathered_classes = 2000;

struct VolumeTables {
  /// Tiles of the same kernel, which serves the content.
  struct Group {
    bool next_to_cut;  // they compute what another rank needs after the pass
    VolumeTileContent content;
    std::vector<VolumeTask> tasks;
  };

  bool has_few_classes() const { return classes.size() <= most_few_classes; }  // TileMedia

  std::string why_not;  // the reason why passes cannot be used; empty if they can
  float Cb[2] = {0, 0};
  std::vector<float> coefficient[2][3];                // VolumeView
  AxisArrays<float> along_z[2];                        // [planes] of E and of H
  DampingArrays<float> damping_along_z;                // [planes]
  bool damped = false;                                 // an adiabatic absorber is in the planes
  ZeroedVector<std::uint16_t> class_of[3];             // VolumeView; empty where all cells are of the common class
  std::vector<MediumClass<float>> classes;             // [class]; the common one is 0
  bool gathers_classes = false;                        // tiles read class_of
  std::array<int, 2> Cb_planes{0, 0};                  // VolumeView, of the media in class_of
  std::vector<int> slot_of_tile[3], slot_of_plane[3];  // VolumeLayer
  int slots_of_plane[2] = {0, 0};                      // x, y
  std::vector<Group> groups;
  std::vector<int> source_begin;  // VolumeSources::begin
  std::vector<VolumeSourceTerm> source_terms;
  /// Entries of all lists of sources, or edges of all ports.
  struct Places {
    std::vector<int> entry_at;   // [place] VolumeSources, VolumePorts: of which entry
    std::vector<int> stored_at;  // [entry] the place of it in the tile that stores its cell; -1: of another rank
  };
  Places sources, ports;
};

/// For passes of so many steps. sources: in the order in which they are added, with those of the margins.
/// multiprocessors: tiles at once. half: for passes that compute in half precision. ports: indices of all ports' edges
/// in [component][reals].
VolumeTables volume_tables(const Discretisation<float>& d, const std::vector<SourceList>& sources, int steps,
                           int multiprocessors, const std::optional<HalfUnits>& half = {},
                           const VolumeMargins& margins = {}, const std::vector<std::uint64_t>& ports = {});

}  // namespace dgtd::fdtd
