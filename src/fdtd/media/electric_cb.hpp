#pragma once
// Media of many components of E, by a table of the tiles.
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

template <class Real>
class ElectricCb {
 public:
  explicit ElectricCb(const Discretisation<Real>& d) : d_(d) {
    tile_.resize(static_cast<std::size_t>(d.layout.tiles[0]) * d.layout.tiles[1] * d.layout.tiles[2], nullptr);
    for (const TileBatch& batch : d.electric.batches)
      for (const Tile& tile : batch.tiles) tile_[place(tile.first[0], tile.first[1], tile.first[2])] = &tile;
  }
  /// As Discretisation::electric_Cb.
  double Cb(int component, int i, int j, int k) const {
    return double(d_.electric.classes[number(component, i, j, k)].Cb);
  }
  /// Over the permittivity of vacuum, 1/s, of a component without poles.
  double conductivity(int component, int i, int j, int k) const {
    return d_.electric.media[number(component, i, j, k)].conductivity;
  }
  /// Whether the component has poles, or two materials in series.
  bool is_dispersive(int component, int i, int j, int k) const {
    const auto n = number(component, i, j, k);
    return d_.poles_of_class[n] > 0 || static_cast<int>(n) == d_.series_class;
  }

 private:
  std::size_t place(int i, int j, int k) const {
    return (std::size_t(k / tile_cells(2)) * d_.layout.tiles[1] + std::size_t(j / tile_cells(1))) * d_.layout.tiles[0] +
           std::size_t(i / tile_cells(0));
  }
  std::size_t number(int component, int i, int j, int k) const {
    return d_.class_in(*tile_[place(i, j, k)], component, i, j, k);
  }
  const Discretisation<Real>& d_;
  std::vector<const Tile*> tile_;  // [tiles along z][y][x]
};

}  // namespace dgtd::fdtd
