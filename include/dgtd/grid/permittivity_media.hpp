#pragma once
// Free-form media: relative permittivities from an array, in front of what bodies and the background make.
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "dgtd/base/uninitialised.hpp"
#include "dgtd/grid/media.hpp"

namespace dgtd::grid {

/// An array of equal boxes ("voxels") in a box.
struct PermittivityArray {
  Vec3 low;                           // m, lower corner
  Vec3 spacing;                       // m, of the voxels
  std::array<int, 3> size{};          // along x, y, z
  int components = 1;                 // 3: each component of E has its own
  UninitialisedVector<float> values;  // [component][x][y][z]

  Vec3 high() const { return {low.x + size[0] * spacing.x, low.y + size[1] * spacing.y, low.z + size[2] * spacing.z}; }
  float least() const;
};

/// From a NumPy file of shape x, y, z, or 3, x, y, z (the component of E first), real, all > 0; placed around `centre`
/// (m). Throws Error that names the file.
PermittivityArray read_permittivity(const std::filesystem::path& file, const Vec3& spacing, const Vec3& centre);

/// Arrays in front of other media; of several the last one. Components whose place is in an array (its surface
/// included) have no poles and losses.
class PermittivityMedia final : public Media {
 public:
  /// averaging: a component has the average over the cell around it, across it the mean, along it that of the inverse;
  /// else, and with values per component, the value of the voxel at its place.
  PermittivityMedia(std::unique_ptr<Media> behind, std::vector<PermittivityArray> arrays, bool averaging);
  int filling(const Vec3& centre, const Vec3& size) const override;
  LocalMedium electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const override;
  bool permittivities(const ComponentBox& box, double* to) const override;
  double common_permittivity(const ComponentBox& box) const override;
  ComponentRange part_in_array(const ComponentBox& box) const override { return front_of(box).part; }
  int filling_behind_arrays(const Vec3& centre, const Vec3& size) const override {
    return behind_->filling_behind_arrays(centre, size);
  }
  int material_at(const Vec3& x) const override { return behind_->material_at(x); }

 private:
  bool averages(const PermittivityArray& array) const { return averaging_ && array.components == 1; }
  /// The array in front of all others with places of a box, and these places; null where there is none.
  struct Front {
    const PermittivityArray* array = nullptr;
    ComponentRange part;
  };
  Front front_of(const ComponentBox& box) const;
  /// The array of front_of() where all places of the box are in it, else null.
  const PermittivityArray* array_of(const ComponentBox& box) const;
  std::unique_ptr<Media> behind_;
  std::vector<PermittivityArray> arrays_;
  bool averaging_;
};

}  // namespace dgtd::grid
