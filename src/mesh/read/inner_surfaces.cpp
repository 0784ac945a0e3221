#include "mesh/read/inner_surfaces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/compact/face_adjacency.hpp"

namespace dgtd::mesh {
namespace {

using Corners = std::array<std::int64_t, 3>;

// [faces] elements at each; faces ascend.
std::vector<int> elements_at(const GlobalMesh& mesh, const std::vector<Corners>& faces) {
  std::vector<char> at_face(mesh.vertices.size());
  for (const Corners& face : faces)
    for (const std::int64_t v : face) at_face[static_cast<std::size_t>(v)] = 1;
  std::vector<int> number(faces.size());
  for (const auto& tetrahedron : mesh.tetrahedra) {
    int corners = 0;
    for (const std::int64_t v : tetrahedron) corners += at_face[static_cast<std::size_t>(v)];
    if (corners < 3) continue;
    const auto ordered = ascending(tetrahedron);
    for (int f = 0; f < 4; ++f) {
      const Corners face = face_vertices(ordered, f);
      const auto found = std::lower_bound(faces.begin(), faces.end(), face);
      if (found != faces.end() && *found == face) ++number[static_cast<std::size_t>(found - faces.begin())];
    }
  }
  return number;
}

void forget_group(GlobalMesh& mesh, std::uint16_t group) {
  mesh.surface_names.erase(mesh.surface_names.begin() + group);
  for (std::uint16_t& g : mesh.triangle_group)
    if (g > group) --g;
}

void take_inner_surface(GlobalMesh& mesh, const AskedSurface& asked) {
  const auto found = std::find(mesh.surface_names.begin(), mesh.surface_names.end(), asked.name);
  if (found == mesh.surface_names.end())
    throw Error(
        fmt::format("{}: {} has no surface group '{}' with faces; it has {}", asked.by, mesh.source, asked.name,
                    mesh.surface_names.empty() ? "none" : fmt::format("{}", fmt::join(mesh.surface_names, ", "))));
  const auto group = static_cast<std::uint16_t>(found - mesh.surface_names.begin());
  InnerSurface surface{asked.name, {}};
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.triangle_group[t] == group) {
      surface.faces.push_back(ascending(mesh.triangles[t]));
    } else {
      mesh.triangles[kept] = mesh.triangles[t];
      mesh.triangle_group[kept++] = mesh.triangle_group[t];
    }
  }
  std::sort(surface.faces.begin(), surface.faces.end());
  surface.faces.erase(std::unique(surface.faces.begin(), surface.faces.end()), surface.faces.end());
  const std::vector<int> elements = elements_at(mesh, surface.faces);
  for (std::size_t f = 0; f < elements.size(); ++f)
    if (elements[f] != 2)
      throw Error(
          fmt::format("{}: surface group '{}' of {} is no inner surface: {} is {}; all its faces must be between "
                      "two elements",
                      asked.by, asked.name, mesh.source, describe_face(mesh, surface.faces[f]),
                      elements[f] == 1 ? "on the boundary" : "not a face of any tetrahedron"));
  mesh.triangles.resize(kept), mesh.triangle_group.resize(kept);
  mesh.inner_surfaces.push_back(std::move(surface));
  forget_group(mesh, group);
}

}  // namespace

void take_inner_surfaces(GlobalMesh& mesh, const std::vector<AskedSurface>& asked) {
  for (const AskedSurface& one : asked) take_inner_surface(mesh, one);
}

}  // namespace dgtd::mesh
