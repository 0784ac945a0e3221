#pragma once
// Places of the elements or cells of a run: the interface of a method for pictures and the check of the steady state.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dgtd/base/hash.hpp"
#include "dgtd/base/vec3.hpp"

namespace dgtd::observers {

/// An image's square pixels in a plane normal to an axis. To the right is x, or y where the normal is x; upwards is z,
/// or y where the normal is z.
struct PixelPlane {
  int axis = 2;                 // of the normal
  double position = 0;          // m, along it
  std::array<double, 2> low{};  // m, the lower left corner
  double pixel = 1;             // m, edge of a pixel
  int width = 0, height = 0;    // pixels

  int right() const { return axis == 0 ? 1 : 0; }
  int up() const { return axis == 2 ? 1 : 2; }
  double column_at(int column) const { return low[0] + (column + 0.5) * pixel; }      // m, centres
  double row_at(int row) const { return low[1] + (height - 1 - row + 0.5) * pixel; }  // row 0 is the top one
  std::int32_t number(int row, int column) const { return row * width + column; }
};

/// Element or cell at the centre of a pixel.
struct PixelHit {
  std::int32_t pixel = 0;   // row * width + column
  std::int32_t region = 0;  // volume group or material
  std::int64_t id = 0;      // global number of the element or cell
  std::size_t place = 0;    // its local number
  double depth = 0;         // m, of a view: along the axis towards the viewer
};

/// A view along an axis from above (its upper end) or below; the position of the plane does not count.
struct SurfaceView {
  PixelPlane plane;
  bool from_above = true;
};

/// Lower and upper corner, m; of a plane both have the same coordinate along its normal.
using Box = std::array<Vec3, 2>;

/// A volume group or a material, with the number of PixelHit::region; on meshes boundary surfaces follow.
struct Region {
  std::string name;
  bool is_background = false;  // around the bodies: vacuum, or an absorbing layer
  bool is_shown = true;        // at first, in views
};

/// A face of one of this rank's elements at which its region ends.
struct RegionFace {
  std::array<std::int64_t, 3> corner_id{};       // global vertices, ascending
  std::array<std::array<float, 3>, 3> corner{};  // m
  std::int32_t region = 0;
  bool is_between_ranks = false;  // whether the region ends there is known to both ranks together
  std::size_t place = 0;          // local number of the element
};

class DomainView {
 public:
  virtual ~DomainView() = default;

  /// This rank's elements or cells at the pixels' centres; of several at one pixel the lowest global number.
  virtual std::vector<PixelHit> slice(const PixelPlane& plane) const = 0;
  /// For each view the first of some of this rank's elements or cells that the line of each pixel meets along the axis.
  virtual std::vector<std::vector<PixelHit>> surfaces(std::span<const SurfaceView> views,
                                                      std::span<const std::size_t> places) const = 0;
  /// This rank's elements or cells at the points (x[0][i], x[1][j], x[2][k]), m, ascending; pixel: number of the point,
  /// x fastest. A point on a face may have several.
  virtual std::vector<PixelHit> lattice(const std::array<std::vector<double>, 3>& x) const = 0;
  /// Faces of tetrahedra at which one of the regions ends; none on grids, whose voxels show them.
  virtual std::vector<RegionFace> faces(const std::vector<bool>& of_regions) const {
    (void)of_regions;
    return {};
  }
  /// Nodes of at most so many voxels in a box (m, infinite: everything): cubes, or the grid's cells or whole groups of
  /// them, so that no material's border is moved unless it must be. [axis][voxels + 1] m, the same on all ranks.
  virtual std::array<std::vector<double>, 3> voxel_nodes(const std::array<Vec3, 2>& box, double most) const;
  /// |E| of the peak phasor of the first Fourier sum at centres of some of this rank's elements or cells, V/m (V s/m
  /// of sums over a pulse). Collective.
  virtual std::vector<float> amplitudes(std::span<const std::size_t> places) const = 0;
  /// Lower and upper corner of the box around some of this rank's elements or cells, m; without any +-infinity.
  virtual std::array<Vec3, 2> box(std::span<const std::size_t> places) const = 0;

  /// Chooses elements or cells, at most so many on all ranks, without pattern and the same for any number of ranks: in
  /// tissue where there is any, else in the boxes, else anywhere. Before the first step; collective. Returns how many
  /// are on this rank.
  virtual std::size_t watch(int count, std::span<const Box> boxes) = 0;
  /// Whether those are in tissue.
  virtual bool watches_tissue() const = 0;
  /// Present E at the centres of this rank's chosen ones, V/m. Collective.
  virtual std::vector<Vec3> watched() const = 0;
  /// Global numbers of those, in the same order.
  virtual std::vector<std::int64_t> watched_numbers() const = 0;
};

/// A number without pattern that depends on n alone (splitmix64).
constexpr std::uint64_t scrambled(std::uint64_t n) { return mixed_bits(n + 0x9e3779b97f4a7c15u); }

}  // namespace dgtd::observers
