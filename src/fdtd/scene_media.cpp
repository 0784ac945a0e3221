#include "dgtd/fdtd/scene_media.hpp"

namespace dgtd::fdtd {

// A surface on the grid's lines is on them to rounding: the place is looked at from all sides across the component.
int SceneMedia::conductor_at(const Vec3& x, const Vec3& size, int axis) const {
  constexpr double aside = 1e-6;                 // of a cell
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

// Interfaces of dielectrics are averaged (mesh/shapes.hpp); a dispersive material
// goes to the components whose places it holds.
LocalMedium SceneMedia::electric(const Vec3& centre, const Vec3& size, int axis) const {
  const auto whole = [&](int material) { return LocalMedium{material, materials_[material].permittivity, materials_[material].conductivity}; };
  if (has_conductor_)
    if (const int conductor = conductor_at(centre, size, axis); conductor >= 0) return whole(conductor);
  if (!averaging_) return whole(scene_.material_at(centre));
  const auto mixture = scene_.mixture(centre, size);
  if (mixture.first == mixture.second) return whole(mixture.first);
  const Material &first = materials_[mixture.first], &second = materials_[mixture.second];
  if (!first.poles.empty() || !second.poles.empty() || first.perfect_conductor || second.perfect_conductor) return whole(scene_.material_at(centre));
  return {mixture.first, mesh::averaged_permittivity(mixture, first.permittivity, second.permittivity, axis),
          mesh::averaged_conductivity(mixture, first.permittivity, second.permittivity, first.conductivity, second.conductivity, axis)};
}

}  // namespace dgtd::fdtd
