#include "fdtd/media/tile_lists.hpp"

#include <map>
#include <tuple>

namespace dgtd::fdtd {
namespace {

/// Batches by what their kernels depend on: next to a halo, dispersive, mixed, layered.
using Batches = std::map<std::tuple<bool, bool, bool, bool>, TileBatch>;

void add(Batches& batches, bool layered, bool dispersive, bool next_to_halo, const Tile& tile) {
  const bool mixed = tile.classes >= 0;
  TileBatch& batch = batches[{next_to_halo, dispersive, mixed, layered}];
  batch.layered = layered, batch.mixed = mixed, batch.dispersive = dispersive, batch.next_to_halo = next_to_halo;
  batch.tiles.push_back(tile);
}

/// Slots of absorbing layers before a layer of tiles along z and in it, along each axis.
struct SlotsOfLayer {
  int before[3] = {0, 0, 0}, count[3] = {0, 0, 0};
};

template <class Real>
std::vector<SlotsOfLayer> slots_of_layers(const Discretisation<Real>& d, const std::vector<PlacedTile>& tiles) {
  std::vector<SlotsOfLayer> layers(static_cast<std::size_t>(d.layout.tiles[2]));
  const auto layer_of = [](const Tile& t) { return static_cast<std::size_t>(t.first[2] / tile_cells(2)); };
  for (const PlacedTile& placed : tiles)
    for (int a = 0; a < 3; ++a)
      if (placed.tile.layer[a] >= 0) ++layers[layer_of(placed.tile)].count[a];
  for (std::size_t l = 1; l < layers.size(); ++l)
    for (int a = 0; a < 3; ++a) layers[l].before[a] = layers[l - 1].before[a] + layers[l - 1].count[a];
  return layers;
}

}  // namespace

// Sums of absorbing layers are stored plane by plane: those of all tiles of a plane of the block follow each other.
// Along x and y those of the block's planes follow those of the planes below that are the neighbour's; along z there
// are none of the neighbours' (volume_margins.hpp).
template <class Real>
void make_batches(Discretisation<Real>& d, const MediaKeys& keys, const std::vector<PlacedTile>& tiles) {
  const bool magnetic_media = keys.has_magnetic_media();
  const std::vector<SlotsOfLayer> layers = slots_of_layers(d, tiles);
  for (const int a : {0, 1}) d.slots_of_plane[static_cast<std::size_t>(a)] = layers.front().count[a];
  Batches electric, magnetic;
  for (const PlacedTile& placed : tiles) {
    Tile tile = placed.tile;
    const SlotsOfLayer& layer = layers[static_cast<std::size_t>(tile.first[2] / tile_cells(2))];
    for (int a = 0; a < 3; ++a) {
      if (tile.layer[a] < 0) continue;
      tile.layer[a] = d.layer_slots[a]++ + layer.before[a] * (tile_cells(2) - 1);
      if (a < 2) tile.layer[a] += d.layout.below * layer.count[a];
      tile.layer_stride[a] = layer.count[a];
    }
    const bool dispersive = placed.dispersive || (placed.filling >= 0 && keys.is_dispersive(placed.filling));
    Tile electric_tile = tile, magnetic_tile = tile;
    electric_tile.medium_class = placed.electric_class;
    magnetic_tile.medium_class = placed.magnetic_class;
    if (!magnetic_media) magnetic_tile.classes = -1;
    if (dispersive) electric_tile.poles = d.pole_slots++;
    const std::array<int, 3> corner{tile.first[0], tile.first[1], tile.first[2]};
    d.has_damping = d.has_damping || tile.damped != 0;
    add(electric, placed.layered || tile.damped != 0, dispersive, d.next_to_halo(true, corner), electric_tile);
    add(magnetic, placed.layered, false, d.next_to_halo(false, corner), magnetic_tile);
  }
  for (auto& [kind, batch] : electric) d.electric.batches.push_back(std::move(batch));
  for (auto& [kind, batch] : magnetic) d.magnetic.batches.push_back(std::move(batch));
}

template <class Real>
void make_series(Discretisation<Real>& d, const MediaKeys& keys, const PoleSets& sets,
                 const std::vector<MixedTile>& mixed) {
  SeriesArrays<Real>& s = d.series;
  for (std::size_t m = 0; m < sets.of_material.size(); ++m) {
    const MediumKey key = keys.electric_in_series(static_cast<int>(m));
    s.media.push_back({key.relative, key.conductivity});
  }
  for (const MixedTile& tile : mixed)
    for (const auto& [index, medium] : tile.series) s.index.push_back(index);
  for (const bool second : {false, true})
    for (const MixedTile& tile : mixed)
      for (const auto& [index, medium] : tile.series) {
        const int material = second ? medium.second : medium.material;
        s.medium.push_back(medium_class<Real>(keys.electric_in_series(material), d.time_step));
        s.share.push_back(static_cast<Real>(second ? medium.share_of_second : 1 - medium.share_of_second));
        s.pole_set.push_back(sets.of_material[static_cast<std::size_t>(material)]);
        s.material.push_back(material);
      }
}

template void make_batches(Discretisation<float>&, const MediaKeys&, const std::vector<PlacedTile>&);
template void make_batches(Discretisation<double>&, const MediaKeys&, const std::vector<PlacedTile>&);
template void make_series(Discretisation<float>&, const MediaKeys&, const PoleSets&, const std::vector<MixedTile>&);
template void make_series(Discretisation<double>&, const MediaKeys&, const PoleSets&, const std::vector<MixedTile>&);

}  // namespace dgtd::fdtd
