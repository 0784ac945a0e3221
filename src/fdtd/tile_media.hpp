#pragma once
// The tiles of a block and their media, found by all threads. Results do not depend on the number of threads.
#include <utility>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "media_keys.hpp"

namespace dgtd::fdtd {

/// A tile before it has slots of layers and poles: tile.layer[a] is 0 where it has an absorbing layer along that axis.
struct PlacedTile {
  Tile tile;         // tile.classes: slot of mixed tiles, in their order; -1: one material fills it
  int end[3];        // of its cells
  int filling = -1;  // the material that fills it; -1: there may be more than one
  bool layered = false;
  bool dispersive = false;                     // a component has poles of its own
  int electric_class = 0, magnetic_class = 0;  // of tiles that one material fills
};

/// Media of the components of a tile that no single material fills.
struct MixedTile {
  std::vector<MediumKey> electric, magnetic;  // [local number] classes
  /// Components in series: place in [component][reals], ascending, with the media.
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> series;
};

/// All tiles of the block, x fastest, with what fills them. d has its axes.
template <class Real>
std::vector<PlacedTile> placed_tiles(const Discretisation<Real>& d, const grid::Media& media);

/// Finds the media of the components of all tiles that no single material fills: [slot]. Writes the local numbers of
/// their classes to class_of of both half steps (of H only where it has several media).
template <class Real>
std::vector<MixedTile> mixed_tiles(Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys,
                                   std::vector<PlacedTile>& tiles);

/// Numbers the classes of all tiles, and makes their coefficients. Throws Error where there are more than a tile can
/// name.
template <class Real>
void number_classes(Discretisation<Real>& d, const MediaKeys& keys, std::vector<PlacedTile>& tiles,
                    const std::vector<MixedTile>& mixed);

}  // namespace dgtd::fdtd
