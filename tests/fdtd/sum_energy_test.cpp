// Energies of cells (spectra/sum_energy.hpp): rows in registers, rows in arrays and single cells have the same bits,
// and their sum is the formula's.
#include "fdtd/spectra/sum_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "two_tiles.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
class Energies {
 public:
  Energies(std::array<bool, 3> layers, bool mixed) : block_(layers, mixed) {
    std::mt19937 random(2);
    std::uniform_real_distribution<Real> number(1, 2);
    for (int a = 0; a < 3; ++a)
      for (std::vector<Real>* const of : {&length_[a], &dual_[a]}) {
        of->resize(2 * tile_cells(0));
        for (Real& value : *of) value = number(random);
      }
    before_ = block_.field();
    after_ = before_;
    TwoTiles<Real> advanced = block_;  // its half step is stored
    if (mixed) advanced.template update<RowKind{Difference::forward, true, true}>(false);
    else advanced.template update<RowKind{Difference::forward, true}>(false);
    after_ = advanced.field();
  }

  /// [tile][8][32]
  template <int lanes, class Magnetic>
  std::vector<double> sums(const Magnetic& magnetic) {
    std::vector<double> sums(2 * cells_of_tile_plane, -1.0);
    const HalfStepView<Real> v = block_.view();
    SumEnergy<Real, Magnetic, lanes> body{
        block_.source().data(), before_.data(), magnetic,   v.layout, v.class_of, v.class_of,
        block_.tiles(),         block_.tiles(), rows_,      {},       {},         permittivity_,
        permeability_,          weight_,        sums.data()};
    for (int a = 0; a < 3; ++a) body.length[a] = length_[a].data(), body.dual_length[a] = dual_[a].data();
    const std::int64_t n = lanes == 1 ? static_cast<std::int64_t>(sums.size()) : 1;
    for (std::int64_t i = 0; i < n; ++i) body(i);
    return sums;
  }
  AdvancedMagnetic<Real, Real> advanced() { return {block_.view()}; }
  StoredMagnetic<Real> stored() const { return {after_.data()}; }

  /// The sums by the volume of each component, and those of absolute values.
  std::pair<std::vector<long double>, std::vector<long double>> formula() {
    const HalfStepView<Real> v = block_.view();
    std::vector<long double> sums(2 * cells_of_tile_plane, 0), absolute = sums;
    for (int t = 0; t < 2; ++t)
      for (int k = 0; k < tile_cells(2); ++k)
        for (int j = 0; j < tile_cells(1); ++j)
          for (int i = 0; i < tile_cells(0); ++i) {
            const Tile& tile = block_.tiles()[t];
            const Row row = row_of(v.layout, tile, i, j, k);
            for (int c = 0; c < 3; ++c) {
              const int of = tile.classes < 0
                                 ? tile.medium_class
                                 : v.class_of[(std::int64_t(tile.classes) * 3 + c) * cells_of_tile + row.cell];
              long double electric = permittivity_[of], magnetic = weight_ * permeability_[of];
              for (int a = 0; a < 3; ++a) {
                electric *= (a == c ? length_ : dual_)[a][row.at[a]];
                magnetic *= (a == c ? dual_ : length_)[a][row.at[a]];
              }
              const std::int64_t n = c * v.layout.reals + row.n;
              electric *= static_cast<long double>(block_.source()[n]) * block_.source()[n];
              magnetic *= static_cast<long double>(before_[n]) * after_[n];
              const std::size_t at = (static_cast<std::size_t>(t) * tile_cells(1) + j) * tile_cells(0) + i;
              sums[at] += electric + magnetic;
              absolute[at] += electric + std::abs(magnetic);
            }
          }
    return {sums, absolute};
  }

 private:
  static constexpr double permittivity_[3] = {1, 2.5, 0.5}, permeability_[3] = {1, 1.5, 3}, weight_ = 0.7;
  static constexpr int rows_[2] = {0, 2};
  TwoTiles<Real> block_;
  std::vector<Real> length_[3], dual_[3], before_, after_;
};

template <class Real>
void expect_formula(std::array<bool, 3> layers, bool mixed) {
  Energies<Real> energies(layers, mixed);
  const std::vector<double> in_rows = energies.template sums<tile_cells(0)>(energies.advanced());
  EXPECT_EQ(in_rows, energies.template sums<1>(energies.advanced()));
  EXPECT_EQ(in_rows, energies.template sums<tile_cells(0)>(energies.stored()));
  const auto [sums, absolute] = energies.formula();
  // Per cell 6 roundings of a term's factors and 6 sums of terms, and a sum per cell along z: of all absolute values.
  const double bound = (6 + 6 + tile_cells(2)) * 0x1p-53;
  for (std::size_t n = 0; n < sums.size(); ++n)
    ASSERT_LE(std::abs(in_rows[n] - sums[n]), bound * absolute[n]) << "row " << n;
}

TEST(SumEnergy, IsTheFormulaWithTheSameBitsForAnyNumberOfLanes) {
  for (const bool mixed : {false, true})
    for (int set = 0; set < 8; ++set) {
      SCOPED_TRACE(set);
      const std::array<bool, 3> layers{(set & 1) != 0, (set & 2) != 0, (set & 4) != 0};
      expect_formula<double>(layers, mixed);
      expect_formula<float>(layers, mixed);
    }
}

}  // namespace
}  // namespace dgtd::fdtd
