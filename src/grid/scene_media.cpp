#include "dgtd/grid/scene_media.hpp"

#include <cmath>

namespace dgtd::grid {
namespace {

// A voxel model has more different mixtures than a grid has classes: shares count in 64ths, squares of the normal's
// components in 16ths, far below the error of the voxels themselves.
grid::Scene::Mixture rounded(grid::Scene::Mixture m) {
  m.share_of_second = std::round(64 * m.share_of_second) / 64;
  for (int a = 0; a < 3; ++a) m.normal[a] = std::sqrt(std::round(16 * m.normal[a] * m.normal[a]) / 16);
  return m;
}

// Which components next to a dispersive material have both materials in series: those across the surface, whose
// cells are shared about equally. A nearly pure cell, or one along the surface, would make a permittivity near zero
// or infinity somewhere in the band (docs/theory.md).
constexpr double least_normal = 0.8, least_share = 0.25;

}  // namespace

// A surface on the grid's lines is on them to rounding: the place is looked at from all sides across the component.
int SceneMedia::conductor_at(const Vec3& x, const Vec3& size, int axis) const {
  constexpr double aside = 1e-6;  // of a cell
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (const double du : {-aside, aside})
    for (const double dv : {-aside, aside}) {
      Vec3 near = x;
      near[u] += du * size[u];
      near[v] += dv * size[v];
      if (const int material = scene_.material_at(near); materials_[material].perfect_conductor) return material;
    }
  const int material = scene_.material_at(x);
  return materials_[material].perfect_conductor ? material : -1;
}

// Interfaces of dielectrics are averaged (grid/shapes.hpp). Next to a dispersive material a component across the
// surface has both in series, or the one that has more of its cell; others have the material at their place.
LocalMedium SceneMedia::electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const {
  const auto whole = [&](int material) {
    return LocalMedium{material, materials_[material].permittivity, materials_[material].conductivity};
  };
  if (has_conductor_)
    if (const int conductor = conductor_at(place, size, axis); conductor >= 0) return whole(conductor);
  if (!averaging_) return whole(scene_.material_at(place));
  auto mixture = scene_.mixture(centre, size);
  if (voxels_) mixture = rounded(mixture);
  if (mixture.first == mixture.second) return whole(mixture.first);
  const physics::Medium &first = materials_[mixture.first], &second = materials_[mixture.second];
  if (first.perfect_conductor || second.perfect_conductor) return whole(scene_.material_at(place));
  if (!first.poles.empty() || !second.poles.empty()) {
    if (std::abs(mixture.normal[axis]) < least_normal) return whole(scene_.material_at(place));
    LocalMedium medium = whole(mixture.first);
    if (mixture.share_of_second > least_share)
      medium.second = mixture.second, medium.share_of_second = mixture.share_of_second;
    return medium;
  }
  return {mixture.first, grid::averaged_permittivity(mixture, first.permittivity, second.permittivity, axis),
          grid::averaged_conductivity(mixture, first.permittivity, second.permittivity, first.conductivity,
                                      second.conductivity, axis)};
}

}  // namespace dgtd::grid
