#pragma once
// A volume of voxels with labels, such as a segmented head: a body for each of its materials.
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "dgtd/grid/shapes.hpp"

namespace dgtd::grid {

/// Voxels of a uint8 each.
struct Voxels {
  std::array<int, 3> size{};        // along x, y, z
  Vec3 spacing;                     // m
  Vec3 corner;                      // m, lower corner of the first voxel
  std::vector<std::uint8_t> label;  // [z][y][x]
  bool flat = false;                // one voxel along z that has no ends
};

/// From a NIfTI (.nii, .nii.gz), MetaImage (.mha, .mhd) or NRRD (.nrrd, .nhdr) file with whole values from 0 to 255,
/// whose lengths times `unit` are m. The voxels stay in the file's order, without its rotations and offsets: the first
/// one's lower corner is at `corner`. Or from a grey picture (.png, .bmp, .pgm), whose pixels' values are labels and
/// whose edges are `unit`, m: the lowest row has the lowest y, and it reaches beyond all ends along z. Throws Error.
Voxels read_voxels(const std::filesystem::path& file, double unit, const Vec3& corner);

/// Voxels in the axes of their file's header.
struct OrientedVoxels {
  Voxels voxels;             // the corner is zero
  std::array<Vec3, 3> axes;  // unit vectors along increasing x, y, z of the voxels, across each other
  Vec3 origin;               // m, lower corner of the first voxel, in the header's axes

  /// m from the first voxel's lower corner along the voxels' x, y, z.
  Vec3 to_voxels(const Vec3& x) const {
    const Vec3 d = x - origin;
    return {dot(d, axes[0]), dot(d, axes[1]), dot(d, axes[2])};
  }
  Vec3 from_voxels(const Vec3& x) const { return origin + x.x * axes[0] + x.y * axes[1] + x.z * axes[2]; }
};

/// From a NIfTI, MetaImage or NRRD (.nrrd, .nhdr) file, with the rotation and the position that its header gives
/// (NIfTI: sform, else qform). Throws Error, also for axes that are not across each other.
OrientedVoxels read_oriented_voxels(const std::filesystem::path& file, double unit);

/// Voxels whose labels are materials, or transparent. Thread-safe.
class LabelledVolume {
 public:
  static constexpr int most_materials = 31;

  /// materials: label and material; other labels are transparent. Throws Error for a label that is not there.
  LabelledVolume(Voxels voxels, const std::vector<std::pair<int, int>>& materials);

  /// Each material once. A place is an index of this list, plus one; 0 is transparent.
  const std::vector<int>& materials() const { return materials_; }
  Bounds bounds() const { return {voxels_.corner, end_}; }
  int place_at(const Vec3& x) const;
  /// `behind` stands where the volume is transparent.
  int material_at(const Vec3& x, int behind) const { return material_of_place(place_at(x), behind); }
  /// The material that fills the box centre +- half, or -1.
  int filling(const Vec3& centre, const Vec3& half, int behind) const;
  /// Places that the box centre +- half contains, as bits.
  std::uint32_t places_in(const Vec3& centre, const Vec3& half) const;

  /// As Scene::mixture, by the voxels' exact shares of the box. `behind` stands where the volume is transparent.
  Scene::Mixture mixture(const Vec3& centre, const Vec3& size, int behind) const;

  /// The pieces of a line that a place holds, |t| <= reach.
  void add_crossings(int place, const Vec3& x, int axis, double reach, std::vector<Interval>& to) const;
  /// From the voxels within two of x.
  Surface surface_near(int place, const Vec3& x) const;

 private:
  struct Range {
    int low, high;  // voxels low <= i < high, of the volume or beyond it
  };
  Range range(int axis, double low, double high) const;
  std::array<bool, 256> labels_found() const;
  void set_places(const std::array<std::uint8_t, 256>& place_of_label);
  int place(int i, int j, int k) const {  // 0 outside
    const auto& n = voxels_.size;
    if (i < 0 || i >= n[0] || j < 0 || j >= n[1] || k < 0 || k >= n[2]) return 0;
    return voxels_.label[(std::size_t(k) * n[1] + j) * n[0] + i];
  }
  const std::uint8_t* row_of(int j, int k) const {  // of places, inside
    return voxels_.label.data() + (std::size_t(k) * voxels_.size[1] + j) * voxels_.size[0];
  }
  bool is_inside(const Range (&r)[3]) const {
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && r[a].low >= 0 && r[a].high <= voxels_.size[a];
    return inside;
  }
  int material_of_place(int place, int behind) const {
    return place == 0 ? behind : materials_[static_cast<std::size_t>(place - 1)];
  }
  std::uint32_t find_places(const Vec3& centre, const Vec3& half) const;
  Vec3 normal(int first, int second, int behind, const Vec3& centre, const Vec3& size) const;

  std::uint64_t identity_;
  Voxels voxels_;  // with places in place of labels
  Vec3 end_;       // m, upper corner
  std::vector<int> materials_;
  std::array<int, 3> blocks_{};                 // of voxels, along x, y, z
  std::vector<std::uint32_t> places_of_block_;  // [z][y][x] bits
};

/// A body for each of the volume's materials.
std::vector<Shape> shapes_of(const std::shared_ptr<const LabelledVolume>& volume, int priority);

}  // namespace dgtd::grid
