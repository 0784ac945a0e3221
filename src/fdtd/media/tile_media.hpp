#pragma once
// The tiles of a block and their media, found by all threads. Results do not depend on the number of threads.
#include <memory>
#include <utility>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "fdtd/media/media_keys.hpp"

namespace dgtd::fdtd {

/// A tile before it has slots of layers and poles: tile.layer[a] is 0 where it has an absorbing layer along that axis.
struct PlacedTile {
  Tile tile;                 // tile.classes: slot of mixed tiles, in their order; -1: one medium fills it
  int end[3];                // of its cells
  int filling = -1;          // the material that fills it; -1: there may be more than one
  double permittivity = -1;  // that E has in place of the filling material's; -1: the material's
  bool layered = false;
  bool dispersive = false;                     // a component has poles of its own
  int electric_class = 0, magnetic_class = 0;  // of tiles that one medium fills
};

/// Numbers of media in some tiles; those of a tile are below 2^16.
struct TileClasses {
  ClassTable electric, magnetic;
};

/// A tile that no single medium fills.
struct MixedTile {
  const TileClasses* classes = nullptr;  // whose numbers class_of has
  /// Components in series: place in [component][reals], ascending, with the media.
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> series;
};

struct MixedTiles {
  std::vector<MixedTile> tiles;  // [slot]
  std::vector<std::unique_ptr<TileClasses>> classes;
};

/// All tiles of the block, x fastest, with what fills them. d has its axes.
template <class Real>
std::vector<PlacedTile> placed_tiles(const Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys);

/// Finds the media of the components of all tiles that no single medium fills. Writes the numbers of their classes in
/// tables of some tiles to class_of of both half steps (of H only where it has several media).
template <class Real>
MixedTiles mixed_tiles(Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys,
                       std::vector<PlacedTile>& tiles);

/// Numbers the classes of all tiles, and makes their coefficients. Where there are too many to name, all are rounded to
/// fewer bits, the same on all ranks of comm (null: this one alone). Throws Error where that would be too coarse.
template <class Real>
void number_classes(Discretisation<Real>& d, const MediaKeys& keys, std::vector<PlacedTile>& tiles,
                    const MixedTiles& mixed, const parallel::Communicator* comm);

}  // namespace dgtd::fdtd
