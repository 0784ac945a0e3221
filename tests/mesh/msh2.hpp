#pragma once
// A mesh as a file.
#include <fmt/format.h>

#include <string>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh::testing {

/// MSH 2.2, ASCII.
inline std::string msh2(const GlobalMesh& mesh) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n";
  text += fmt::format("{}\n", mesh.volume_names.size() + mesh.surface_names.size());
  for (std::size_t g = 0; g < mesh.surface_names.size(); ++g)
    text += fmt::format("2 {} \"{}\"\n", g + 1, mesh.surface_names[g]);
  for (std::size_t g = 0; g < mesh.volume_names.size(); ++g)
    text += fmt::format("3 {} \"{}\"\n", g + 1, mesh.volume_names[g]);
  text += fmt::format("$EndPhysicalNames\n$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    text += fmt::format("{} {} {} {}\n", v + 1, mesh.vertices[v].x, mesh.vertices[v].y, mesh.vertices[v].z);
  text += fmt::format("$EndNodes\n$Elements\n{}\n", mesh.triangles.size() + mesh.tetrahedra.size());
  std::size_t number = 0;
  const auto add = [&](int type, std::uint16_t group, const auto& corners) {
    text += fmt::format("{} {} 2 {} {}", ++number, type, group + 1, group + 1);
    for (const auto v : corners) text += fmt::format(" {}", v + 1);
    text += '\n';
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) add(2, mesh.triangle_group[t], mesh.triangles[t]);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) add(4, mesh.tetrahedron_group[e], mesh.tetrahedra[e]);
  return text + "$EndElements\n";
}

}  // namespace dgtd::mesh::testing
