#pragma once
// Random fields, media and layers of two tiles, for tests of the work on rows.
#include <array>
#include <random>
#include <vector>

#include "dgtd/fdtd/kernels/update_packs.hpp"

namespace dgtd::fdtd {

/// Two tiles along x, with layers of 10 cells at both ends of the axes that have any (3 along y and z).
template <class Real>
class TwoTiles {
 public:
  explicit TwoTiles(std::array<bool, 3> layers, bool mixed) : layout_(2 * tile_cells(0), tile_cells(1), tile_cells(2)) {
    std::mt19937 random(1);
    std::uniform_real_distribution<Real> number(-1, 1);
    const auto fill = [&](std::vector<Real>& values, std::size_t n) {
      values.resize(n);
      for (Real& value : values) value = number(random);
    };
    fill(source_, 3 * static_cast<std::size_t>(layout_.reals));
    fill(target_, source_.size());
    for (std::size_t i = 0; i < target_.size(); i += 3) source_[i] = 0, target_[i] = -Real(0);  // signs of zeros count
    for (int a = 0; a < 3; ++a) {
      fill(inverse_distance_[a], 2 * tile_cells(0));
      fill(damping_[a], 2 * tile_cells(0));
      fill(sums_[a], layers[a] ? std::size_t(2) * tile_cells(2) * 2 * cells_of_tile_plane : 0);
      decay_[a].assign(2 * tile_cells(0), 0), drive_[a].assign(2 * tile_cells(0), 0);
      const int cells = layout_.cells[a], depth = a == 0 ? 10 : 3;
      for (int i = 0; i < depth && layers[a]; ++i)
        for (const int at : {i, cells - 1 - i}) decay_[a][at] = Real(0.9) - Real(0.01) * i, drive_[a][at] = Real(-0.3);
    }
    classes_ = {{Real(0.99), Real(0.41)}, {Real(1), Real(0.5)}, {Real(0.7), Real(0.23)}};
    // Rows of one class per component, and of several.
    class_of_.resize(std::size_t(2) * 3 * cells_of_tile);
    for (std::size_t n = 0; n < class_of_.size(); ++n)
      class_of_[n] = n / tile_cells(0) % 3 == 2 ? n % 3 : n / tile_cells(0) % 2;
    for (int t = 0; t < 2; ++t) {
      Tile tile{};
      tile.first[0] = t * tile_cells(0);
      for (int a = 0; a < 3; ++a) tile.layer[a] = layers[a] ? t : -1, tile.layer_stride[a] = 2;
      tile.layer_lanes[0] = t == 0 ? 0 : 22, tile.layer_lanes[1] = t == 0 ? 10 : 32;
      tile.classes = mixed ? t : -1, tile.medium_class = t, tile.poles = -1;
      tiles_[t] = tile;
    }
  }

  HalfStepView<Real> view() {
    HalfStepView<Real> v{};
    v.layout = layout_;
    for (int a = 0; a < 3; ++a) {
      v.source[a] = source_.data() + a * layout_.reals, v.target[a] = target_.data() + a * layout_.reals;
      v.axis[a] = {inverse_distance_[a].data(), decay_[a].data(), drive_[a].data()};
      v.damping[a][0] = v.damping[a][1] = damping_[a].data();
      v.layer[a] = sums_[a].data();
    }
    v.classes = classes_.data(), v.class_of = class_of_.data();
    v.length = v.per_length = 1;
    return v;
  }

  /// Updates all rows, in registers or not.
  template <RowKind kind>
  void update(bool in_registers, bool damped = false) {
    const UpdateField<Real, kind> body{view()};
    for (int k = 0; k < tile_cells(2); ++k)
      for (int j = 0; j < tile_cells(1); ++j)
        for (Tile tile : tiles_) {
          tile.damped = damped;
          if (in_registers) update_row(body, tile, j, k);
          else body.template cells<tile_cells(0)>(tile, 0, j, k);
        }
  }

  const Tile (&tiles() const)[2] { return tiles_; }
  /// E of a magnetic half step.
  const std::vector<Real>& source() const { return source_; }
  const std::vector<Real>& field() const { return target_; }
  const std::vector<Real>& sums(int axis) const { return sums_[axis]; }

 private:
  GridLayout layout_;
  std::vector<Real> source_, target_, inverse_distance_[3], damping_[3], decay_[3], drive_[3], sums_[3];
  std::vector<MediumClass<Real>> classes_;
  std::vector<std::uint16_t> class_of_;
  Tile tiles_[2];
};

}  // namespace dgtd::fdtd
