#pragma once
// Where the elements or cells of a run are: what pictures and the check of the steady state need of a method.
#include <array>
#include <cstdint>
#include <span>
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

/// What is at the centre of a pixel.
struct PixelHit {
  std::int32_t pixel = 0;   // row * width + column
  std::int32_t region = 0;  // volume group or material
  std::int64_t id = 0;      // global number of the element or cell
  std::size_t place = 0;    // its local number
  double depth = 0;         // m, of a view: along the axis towards the viewer
};

/// Lower and upper corner, m; of a plane both have the same coordinate along its normal.
using Box = std::array<Vec3, 2>;

class DomainView {
 public:
  virtual ~DomainView() = default;

  /// This rank's elements or cells at the pixels' centres; of several at one pixel the lowest global number.
  virtual std::vector<PixelHit> slice(const PixelPlane& plane) const = 0;
  /// The first of some of this rank's elements or cells that the line of each pixel meets along the axis, from above
  /// (its upper end) or below. The plane's position does not count.
  virtual std::vector<PixelHit> surface(const PixelPlane& view, bool from_above,
                                        std::span<const std::size_t> places) const = 0;
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
