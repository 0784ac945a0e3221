#include "app/box_file.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "mesh/box_as_global_mesh.hpp"
#include "mesh/msh2.hpp"

std::string box_file(const std::string& group, const std::function<bool(double, double, double)>& chosen) {
  dgtd::mesh::GlobalMesh mesh = dgtd::mesh::testing::box_as_global_mesh({2, 2, 8}, {4e-3, 4e-3, 16e-3});
  if (group.empty()) return dgtd::mesh::testing::msh2(mesh);
  const auto number = static_cast<std::uint16_t>(mesh.surface_names.size());
  mesh.surface_names.push_back(group);
  const auto is_chosen = [&](const std::array<std::int64_t, 3>& face) {
    dgtd::Vec3 centre;
    for (const std::int64_t v : face) centre += (1.0 / 3) * mesh.vertices[static_cast<std::size_t>(v)];
    return chosen(centre.x, centre.y, centre.z);
  };
  std::set<std::array<std::int64_t, 3>> faces;
  for (auto corners : mesh.tetrahedra) {
    std::sort(corners.begin(), corners.end());
    const auto [a, b, c, d] = corners;
    for (const std::array<std::int64_t, 3>& face :
         {std::array{b, c, d}, std::array{a, c, d}, std::array{a, b, d}, std::array{a, b, c}})
      if (is_chosen(face)) faces.insert(face);
  }
  for (const auto& face : faces) mesh.triangles.push_back(face), mesh.triangle_group.push_back(number);
  return dgtd::mesh::testing::msh2(mesh);
}
