#include "dgtd/fdtd/scene_media.hpp"

namespace dgtd::fdtd {

// Interfaces of dielectrics are averaged (mesh/shapes.hpp); a dispersive material
// goes to the components whose places it holds.
LocalMedium SceneMedia::electric(const Vec3& centre, const Vec3& size, int axis) const {
  const auto whole = [&](int material) { return LocalMedium{material, materials_[material].permittivity, materials_[material].conductivity}; };
  if (!averaging_) return whole(scene_.material_at(centre));
  const auto mixture = scene_.mixture(centre, size);
  if (mixture.first == mixture.second) return whole(mixture.first);
  const Material &first = materials_[mixture.first], &second = materials_[mixture.second];
  if (!first.poles.empty() || !second.poles.empty()) return whole(scene_.material_at(centre));
  return {mixture.first, mesh::averaged_permittivity(mixture, first.permittivity, second.permittivity, axis),
          mesh::averaged_conductivity(mixture, first.permittivity, second.permittivity, first.conductivity, second.conductivity, axis)};
}

}  // namespace dgtd::fdtd
