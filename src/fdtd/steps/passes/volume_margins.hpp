#pragma once
// Passes of several steps on ranks that are one above the other along z: a pass of n steps reads n planes of the block
// below and of the block above (GridLayout::below, above), and computes what it needs of them again, exactly as their
// owner does. What does not change in the run is exchanged once; fields and layers' sums are those of pass_halo.hpp.
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "fdtd/steps/passes/volume_pass.hpp"

namespace dgtd::fdtd {

/// Some planes of a block next to a cut, with their media and sources.
struct VolumeMargin {
  /// So many components in a row.
  struct Media {
    MediumClass<float> medium;
    std::int64_t count;
  };
  /// A list of additions; lists are in the order of the block.
  struct List {
    HalfStep half;
    physics::WaveformShape shape;
  };
  struct Entry {
    int list, component, cell[3];  // cell[2]: plane from the lowest one of the margin
    double weight, delay;          // V/m; s
  };
  std::vector<float> inverse_distance[2], c[2];  // [planes] along z, of E and of H: AxisArrays
  std::vector<float> nodes, centres;             // [planes] along z: DampingArrays
  std::vector<Media> media;                      // of E's [component][plane][row][cell]
  std::vector<MediumClass<float>> magnetic;      // of H: of a first cell, since passes have one
  std::vector<List> lists;
  std::vector<Entry> entries;  // by list, each in its order
  int planes() const { return static_cast<int>(nodes.size()); }
};

/// Margins of the blocks below and above; without planes where the grid ends.
struct VolumeMargins {
  VolumeMargin below, above;
};

/// Planes first <= k < first + count of the own block. sources: all of the block.
VolumeMargin planes_of_block(const Discretisation<float>& d, const std::vector<SourceList>& sources, int first,
                             int count);

/// Exchanges them with the ranks below and above. Collective over these.
VolumeMargins exchange_margins(const Discretisation<float>& d, const std::vector<SourceList>& sources,
                               const parallel::Communicator& comm);

/// The additions in margins, as lists of the block that has them; they count no work.
std::vector<SourceList> sources_of_margins(const VolumeMargins& margins, const GridLayout& layout);

}  // namespace dgtd::fdtd
