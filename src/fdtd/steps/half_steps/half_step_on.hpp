#pragma once
// Data of a half step besides the fields, in the memory of a backend: axes, media, dampers, layers' sums, and the
// tiles in batches of one kind.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::fdtd {

/// Batches that differ only by absorbing layers as one, its tiles in the order of memory.
inline std::vector<TileBatch> joined(const std::vector<TileBatch>& batches) {
  std::map<std::tuple<bool, bool, bool>, TileBatch> by_kind;
  for (const TileBatch& b : batches) {
    TileBatch& to = by_kind[{b.next_to_halo, b.dispersive, b.mixed}];
    to.mixed = b.mixed, to.dispersive = b.dispersive, to.next_to_halo = b.next_to_halo;
    to.layered = to.layered || b.layered;
    to.tiles.insert(to.tiles.end(), b.tiles.begin(), b.tiles.end());
  }
  std::vector<TileBatch> result;
  for (auto& [kind, batch] : by_kind) {
    std::sort(batch.tiles.begin(), batch.tiles.end(), before_in_memory);
    result.push_back(std::move(batch));
  }
  return result;
}

/// Recording: of a backend, which replays a half step.
template <class Real, class Recording>
struct HalfStepOn {
  struct Batch {
    bool layered, mixed, dispersive, next_to_halo;
    parallel::Array<Tile> tiles;
    std::vector<std::int64_t> row;  // [tiles along y and z + 1] where a row of tiles begins, in the order of memory
  };
  parallel::Array<Real> axis[3][3], layer[3];  // inverse distances, b and c of each axis; sums of its layers
  parallel::Array<Real> damping[3][2];         // of E, at nodes and at centres
  parallel::Array<MediumClass<Real>> classes;
  parallel::Array<std::uint16_t> class_of;
  std::vector<Batch> batches;
  Recording recording[2];  // of a block without neighbours, by which of two sets the arrays are

  /// joins_layers: batches that differ only by layers become one.
  void load(const Discretisation<Real>& d, HalfStep half, bool joins_layers, parallel::Storage& storage) {
    const bool electric = half == HalfStep::electric;
    const HalfStepArrays<Real>& from = electric ? d.electric : d.magnetic;
    for (int a = 0; a < 3; ++a) {
      axis[a][0] = storage.copy(from.axis[a].inverse_distance);
      axis[a][1] = storage.copy(from.axis[a].b);
      axis[a][2] = storage.copy(from.axis[a].c);
      if (electric) {
        damping[a][0] = storage.copy(d.damping[a].nodes);
        damping[a][1] = storage.copy(d.damping[a].centres);
      }
      layer[a] = storage.template zeros<Real>(d.layer_reals(a));
    }
    classes = storage.copy(from.classes);
    class_of = storage.copy(from.class_of);
    for (const TileBatch& b : joins_layers ? joined(from.batches) : from.batches) {
      batches.push_back({b.layered, b.mixed, b.dispersive, b.next_to_halo, storage.copy(b.tiles), {}});
      std::vector<std::int64_t>& row = batches.back().row;
      row.assign(std::size_t(d.layout.tiles[1]) * d.layout.tiles[2] + 1, 0);
      for (const Tile& t : b.tiles) ++row[row_of_tiles(d.layout, t.first[1], t.first[2]) + 1];
      std::partial_sum(row.begin(), row.end(), row.begin());
    }
  }
  /// Number of the row of tiles that contains a cell's row and plane.
  static std::size_t row_of_tiles(const GridLayout& layout, int j, int k) {
    return std::size_t(k / tile_cells(2)) * layout.tiles[1] + j / tile_cells(1);
  }
};

}  // namespace dgtd::fdtd
