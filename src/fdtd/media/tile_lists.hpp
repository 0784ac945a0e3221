#pragma once
// From tiles with media to the lists that the engine takes: batches of one kind, and components in series.
#include <vector>

#include "fdtd/media/tile_media.hpp"

namespace dgtd::fdtd {

/// Gives the tiles their slots and puts them into batches of both half steps, in the order of the tiles.
template <class Real>
void make_batches(Discretisation<Real>& d, const MediaKeys& keys, const std::vector<PlacedTile>& tiles);

/// Components with two materials in series, in the order of the tiles.
template <class Real>
void make_series(Discretisation<Real>& d, const MediaKeys& keys, const PoleSets& sets,
                 const std::vector<MixedTile>& mixed);

}  // namespace dgtd::fdtd
