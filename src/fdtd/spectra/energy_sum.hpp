#pragma once
// The energy of the fields, summed on a backend.
#include <algorithm>
#include <tuple>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"
#include "fdtd/spectra/sum_energy.hpp"

namespace dgtd::fdtd {

inline bool before_in_memory(const Tile& a, const Tile& b) {
  return std::tie(a.first[2], a.first[1], a.first[0]) < std::tie(b.first[2], b.first[1], b.first[0]);
}

/// Sums with stride `count` into the first `count` entries. Several values are read at once: a device's
/// threads would wait for each.
struct FoldSums {
  static constexpr int together = 8;
  double* sums;  // [n]
  std::int64_t n, count;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    double sum = sums[i];
    std::int64_t at = i + count;
    for (; at + (together - 1) * count < n; at += together * count) {
      double values[together];
      for (int k = 0; k < together; ++k) values[k] = sums[at + k * count];
      for (int k = 0; k < together; ++k) sum += values[k];
    }
    for (; at < n; at += count) sum += sums[at];
    sums[i] = sum;
  }
};
struct ValueAt {
  const double* values;
  DGTD_HOST_DEVICE double operator()(std::int64_t i) const { return values[i]; }
};
struct SetZero {
  double* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = 0; }
};

template <class Stored, class Backend>
class EnergySum {
  using Real = arithmetic_t<Stored>;

 public:
  EnergySum(const Discretisation<Real>& d, const Backend& backend, parallel::Storage& storage) : backend_(backend) {
    for (int a = 0; a < 3; ++a) {
      std::vector<Real> length(static_cast<std::size_t>(d.layout.tiles[a]) * tile_cells(a), Real(0)), dual = length;
      for (int i = 0; i < d.layout.cells[a]; ++i) {
        length[i] = static_cast<Real>(d.nodes[a][i + 2] - d.nodes[a][i + 1]);
        dual[i] = static_cast<Real>(d.centres[a][i + 1] - d.centres[a][i]);
        if (d.electric.axis[a].inverse_distance[i] != 0)
          dual[i] = static_cast<Real>(1 / d.electric.axis[a].inverse_distance[i]);
      }
      length_[a] = storage.copy(length);
      dual_length_[a] = storage.copy(dual);
    }
    // Components in series have no permittivity of their own, and are few: they do not count.
    const auto constants = [&](const std::vector<ClassMedium>& media) {
      std::vector<double> relative;
      for (const ClassMedium& m : media) relative.push_back(std::max(m.relative, 0.0));
      return storage.copy(relative);
    };
    permittivity_ = constants(d.electric.media);
    permeability_ = constants(d.magnetic.media);
    const auto in_order = [&](const HalfStepArrays<Real>& half) {
      std::vector<Tile> tiles;
      for (const auto& b : half.batches) tiles.insert(tiles.end(), b.tiles.begin(), b.tiles.end());
      std::sort(tiles.begin(), tiles.end(), before_in_memory);
      return storage.copy(tiles);
    };
    electric_tiles_ = in_order(d.electric);
    magnetic_tiles_ = in_order(d.magnetic);
    std::vector<int> row_begin;
    for (std::size_t t = 0; t < electric_tiles_.size(); ++t)
      if (electric_tiles_.host()[t].first[0] == 0) row_begin.push_back(static_cast<int>(t));
    row_begin.push_back(static_cast<int>(electric_tiles_.size()));
    row_begin_ = storage.copy(row_begin);
    sums_ = storage.zeros<double>(electric_tiles_.size() * cells_of_tile_plane);
    total_ = storage.zeros<double>(1);
  }

  /// 1/2 (E eps E + H_before mu H_after) over this rank, J, of fields in units of 1 V/m. views: of both half steps;
  /// electric, magnetic_before: [3][reals]; magnetic_after: StoredMagnetic, AdvancedMagnetic; magnetic_unit: H's unit
  /// over that of E.
  template <class Magnetic>
  double operator()(const HalfStepView<Stored>& electric_view, const HalfStepView<Stored>& magnetic_view,
                    const Stored* electric, const Stored* magnetic_before, const Magnetic& magnetic_after,
                    double magnetic_unit) {
    constexpr int lanes = Backend::cells_together;
    SumEnergy<Stored, Magnetic, lanes> body{electric,
                                            magnetic_before,
                                            magnetic_after,
                                            electric_view.layout,
                                            electric_view.class_of,
                                            magnetic_view.class_of,
                                            electric_tiles_.read(),
                                            magnetic_tiles_.read(),
                                            row_begin_.read(),
                                            {},
                                            {},
                                            permittivity_.read(),
                                            permeability_.read(),
                                            magnetic_unit * magnetic_unit,
                                            sums_.write()};
    for (int a = 0; a < 3; ++a) {
      body.length[a] = length_[a].read();
      body.dual_length[a] = dual_length_[a].read();
    }
    const auto n = static_cast<std::int64_t>(sums_.size());
    backend_.for_each(lanes == 1 ? n : static_cast<std::int64_t>(row_begin_.size()) - 1, body);
    const std::int64_t folded = std::min<std::int64_t>(n, 1 << 15);  // the rest is added by one thread block
    backend_.for_each(folded, FoldSums{sums_.write(), n, folded});
    backend_.for_each(1, SetZero{total_.write()});
    backend_.add_sum(parallel::Queue::main, folded, ValueAt{sums_.read()}, 1.0, total_.write());
    return 0.5 * vacuum_permittivity * parallel::sum_of(total_);
  }

 private:
  const Backend& backend_;
  parallel::Array<Real> length_[3], dual_length_[3];  // SumEnergy
  parallel::Array<double> permittivity_, permeability_;
  parallel::Array<Tile> electric_tiles_, magnetic_tiles_;
  parallel::Array<int> row_begin_;        // SumEnergy
  parallel::Array<double> sums_, total_;  // SumEnergy; [1]
};

}  // namespace dgtd::fdtd
