#pragma once
// Media of a grid from bodies in a background: which material a component has, or which mixture.
#include "dgtd/grid/media.hpp"
#include "dgtd/grid/shapes.hpp"

namespace dgtd::grid {

class SceneMedia final : public Media {
 public:
  /// Bodies' materials are numbers in `materials`; 0 is the background. Without averaging a component has the
  /// material at its place. Perfect conductors hold the components in them and on their surfaces.
  SceneMedia(grid::Scene scene, std::vector<physics::Medium> materials, bool averaging)
      : scene_(std::move(scene)),
        materials_(std::move(materials)),
        averaging_(averaging),
        voxels_(scene_.has_voxels()) {
    for (const physics::Medium& m : materials_) has_conductor_ = has_conductor_ || m.perfect_conductor;
  }
  int filling(const Vec3& centre, const Vec3& size) const override { return scene_.filling(centre, size); }
  LocalMedium electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const override;
  int material_at(const Vec3& x) const override { return scene_.material_at(x); }

 private:
  int conductor_at(const Vec3& x, const Vec3& size, int axis) const;  // its material; -1: none
  LocalMedium whole(int material) const;
  bool is_in_metal(const Vec3& node, const Vec3& size) const;  // or on its surface; size: of a cell, m
  /// As electric(), where a metal (a material with a Drude pole) meets another material that is none.
  LocalMedium at_metal(const Scene::Mixture& mixture, const Vec3& place, const Vec3& centre, const Vec3& size,
                       int axis) const;
  grid::Scene scene_;
  std::vector<physics::Medium> materials_;
  bool averaging_, voxels_;
  bool has_conductor_ = false;
};

}  // namespace dgtd::grid
