#include "dgtd/fdtd/scene_media.hpp"

#include <cmath>

namespace dgtd::fdtd {
namespace {

// A voxel model has more different mixtures than a grid has classes: shares count in 64ths, squares of the normal's
// components in 16ths, far below the error of the voxels themselves.
mesh::Scene::Mixture rounded(mesh::Scene::Mixture m) {
  m.share_of_second = std::round(64 * m.share_of_second) / 64;
  for (int a = 0; a < 3; ++a) m.normal[a] = std::sqrt(std::round(16 * m.normal[a] * m.normal[a]) / 16);
  return m;
}

}  // namespace

// Interfaces of dielectrics are averaged (mesh/shapes.hpp); a dispersive material
// goes to the components whose places it holds.
LocalMedium SceneMedia::electric(const Vec3& centre, const Vec3& size, int axis) const {
  const auto whole = [&](int material) { return LocalMedium{material, materials_[material].permittivity, materials_[material].conductivity}; };
  if (!averaging_) return whole(scene_.material_at(centre));
  auto mixture = scene_.mixture(centre, size);
  if (voxels_) mixture = rounded(mixture);
  if (mixture.first == mixture.second) return whole(mixture.first);
  const Material &first = materials_[mixture.first], &second = materials_[mixture.second];
  if (!first.poles.empty() || !second.poles.empty()) return whole(scene_.material_at(centre));
  return {mixture.first, mesh::averaged_permittivity(mixture, first.permittivity, second.permittivity, axis),
          mesh::averaged_conductivity(mixture, first.permittivity, second.permittivity, first.conductivity, second.conductivity, axis)};
}

}  // namespace dgtd::fdtd
