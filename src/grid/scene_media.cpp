#include "dgtd/grid/scene_media.hpp"

#include <algorithm>
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

// Components next to a dispersive material that have both materials in series: those across the surface, whose
// cells are shared about equally. A nearly pure cell, or one along the surface, would make a permittivity near zero
// or infinity somewhere in the band (docs/theory.md).
constexpr double least_normal = 0.8, least_share = 0.25;
// The same next to a metal, where the least share is that of the other material alone: a narrow gap resonates far on
// the red side, a thin sheet of metal does not.
constexpr double least_normal_at_metal = 0.85, least_gap = 0.25;

// Materials of free electrons, whose permittivity is negative below their plasma frequency.
bool is_metal(const physics::Medium& m) {
  return std::any_of(m.poles.begin(), m.poles.end(),
                     [](const physics::Pole& p) { return p.type == physics::Pole::Type::drude; });
}

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

LocalMedium SceneMedia::whole(int material) const {
  return {material, materials_[material].permittivity, materials_[material].conductivity};
}

// A surface through nodes is on them to rounding: the node is looked at from all sides.
bool SceneMedia::is_in_metal(const Vec3& node, const Vec3& size) const {
  constexpr double aside = 1e-6;  // of a cell
  for (int a = 0; a < 3; ++a)
    for (const double step : {-aside, aside}) {
      Vec3 near = node;
      near[a] += step * size[a];
      if (is_metal(materials_[scene_.material_at(near)])) return true;
    }
  return false;
}

// At the surface of a metal the edge from node to node counts: it is metal if both of its nodes are. So every node of
// the metal is held by at least as many edges as the metal's shape gives it, and none hangs on a single one, which
// would resonate on its own at eps = -3 in a plane and -5 in space (docs/theory.md). Across the surface, an edge that
// leaves the metal has both materials in series.
LocalMedium SceneMedia::at_metal(const Scene::Mixture& mixture, const Vec3& place, const Vec3& centre, const Vec3& size,
                                 int axis) const {
  const bool metal_first = is_metal(materials_[mixture.first]);
  const int metal = metal_first ? mixture.first : mixture.second;
  const int other = metal_first ? mixture.second : mixture.first;
  const double gap = metal_first ? mixture.share_of_second : 1 - mixture.share_of_second;
  int nodes_in_metal = 0;
  for (const double side : {-0.5, 0.5}) {
    Vec3 node = place;
    node[axis] = centre[axis] + side * size[axis];
    nodes_in_metal += is_in_metal(node, size) ? 1 : 0;
  }
  const bool across = std::abs(mixture.normal[axis]) >= least_normal_at_metal;
  if (nodes_in_metal == 2 && !(across && gap > least_gap)) return whole(metal);         // else a gap between nodes
  if (!across || (nodes_in_metal == 0 && 1 - gap <= least_share)) return whole(other);  // else a sheet between nodes
  LocalMedium medium = whole(metal);
  medium.second = other, medium.share_of_second = std::max(gap, least_gap);
  return medium;
}

// Interfaces of dielectrics are averaged (grid/shapes.hpp). Next to a dispersive material that is no metal a component
// across the surface has both in series, or the one that has more of its cell; others have the material at their place.
LocalMedium SceneMedia::electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const {
  if (has_conductor_)
    if (const int conductor = conductor_at(place, size, axis); conductor >= 0) return whole(conductor);
  if (!averaging_) return whole(scene_.material_at(place));
  auto mixture = scene_.mixture(centre, size);
  if (voxels_) mixture = rounded(mixture);
  if (mixture.first == mixture.second) return whole(mixture.first);
  const physics::Medium &first = materials_[mixture.first], &second = materials_[mixture.second];
  if (first.perfect_conductor || second.perfect_conductor) return whole(scene_.material_at(place));
  if (is_metal(first) != is_metal(second)) return at_metal(mixture, place, centre, size, axis);
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
