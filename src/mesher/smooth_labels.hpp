#pragma once
// A grid of tissues with smooth surfaces between them.
#include "dgtd/grid/labelled_volume.hpp"
#include "label_grid.hpp"

namespace dgtd::mesher {

/// At any point the tissue with the largest w_t(x) + b_t, where w_t is the share of tissue t in the image, averaged
/// with a Gaussian and interpolated between voxels. The offsets b_t are such that volumes are those of the grid. Safe
/// to call from many threads.
class SmoothLabels {
 public:
  /// sigma: m, standard deviation of the Gaussian. wanted: [tissues] m3, of which air (tissue 0) is ignored. Pieces
  /// below island (m3), but the largest of each tissue, are removed once more. The grid's outermost voxels are air.
  SmoothLabels(const LabelGrid& grid, const std::vector<double>& wanted, double sigma, double island);

  /// x: m, in the voxels' axes. Air outside the grid.
  int tissue_at(const Vec3& x) const;

  /// The tissues of the voxels' centres.
  const LabelGrid& grid() const { return grid_; }

 private:
  void average(const LabelGrid& grid, double sigma);
  void decide();
  std::vector<double> gains() const;
  void match_volumes(const std::vector<double>& wanted);
  void drop_islands(double volume);
  void mend(const LabelGrid& original, double thickness, double volume);
  void find_uniform_cells();

  LabelGrid grid_;
  std::size_t tissues_;
  std::vector<float> offset_;          // [tissues] b_t times 255
  std::vector<std::uint8_t> share_;    // [voxels][tissues] w_t times 255
  std::vector<std::uint8_t> uniform_;  // [voxels] tissue of the eight centres from this one on, or `mixed`
  static constexpr std::uint8_t mixed = 0xff;
};

}  // namespace dgtd::mesher
