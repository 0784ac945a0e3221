#include "tiny_mesh.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace dgtd::dg::test {

namespace {

using Corner = std::array<int, 3>;

/// Corner points of the cubes with their random numbers and displaced positions.
struct Corners {
  std::array<int, 3> cells;
  int index(const Corner& c) const { return c[0] + (cells[0] + 1) * (c[1] + (cells[1] + 1) * c[2]); }
  int count() const { return (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1); }
};

/// The four corners of each of a cube's six tetrahedra: paths along the axes from low to high corner.
std::vector<std::array<Corner, 4>> tetrahedra(const std::array<int, 3>& cells) {
  std::vector<std::array<Corner, 4>> list;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<Corner, 4> path{Corner{i, j, k}};
          for (int step = 0; step < 3; ++step) {
            path[step + 1] = path[step];
            ++path[step + 1][axes[step]];
          }
          list.push_back(path);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  return list;
}

/// Side of the box (xmin 0, xmax 1, ymin 2, …) that three corners lie on.
std::uint32_t side_of(const std::array<Corner, 3>& face, const std::array<int, 3>& cells) {
  for (int axis = 0; axis < 3; ++axis)
    for (int high = 0; high < 2; ++high)
      if (std::all_of(face.begin(), face.end(), [&](const Corner& c) { return c[axis] == high * cells[axis]; }))
        return static_cast<std::uint32_t>(2 * axis + high);
  throw std::logic_error("a face without a neighbour lies on no side of the box");
}

}  // namespace

mesh::Subdomain tiny_mesh(const std::array<int, 3>& cells, int volume_groups, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-0.12, 0.12);
  const Corners corners{cells};
  mesh::Subdomain mesh;
  mesh.surface_names = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  for (int g = 0; g < volume_groups; ++g) mesh.volume_names.push_back("group" + std::to_string(g));

  mesh.vertex_id.resize(corners.count());
  std::iota(mesh.vertex_id.begin(), mesh.vertex_id.end(), 0);
  std::shuffle(mesh.vertex_id.begin(), mesh.vertex_id.end(), random);
  for (int k = 0; k <= cells[2]; ++k)
    for (int j = 0; j <= cells[1]; ++j)
      for (int i = 0; i <= cells[0]; ++i) {
        const double x = i + shift(random), y = j + shift(random), z = k + shift(random);
        mesh.vertices.push_back(tiny_mesh_spacing * Vec3{x, y, z});
      }

  auto paths = tetrahedra(cells);
  std::shuffle(paths.begin(), paths.end(), random);
  std::map<std::array<std::int64_t, 3>, mesh::FaceLink>
      first_seen;  // sorted vertex ids -> the element that has the face
  for (auto& path : paths) {
    const auto id = [&](const Corner& c) { return mesh.vertex_id[corners.index(c)]; };
    std::sort(path.begin(), path.end(), [&](const Corner& a, const Corner& b) { return id(a) < id(b); });
    const auto element = static_cast<std::uint32_t>(mesh.elements());
    mesh.element_id.push_back(element);
    mesh.element_group.push_back(static_cast<std::uint16_t>(random() % volume_groups));
    auto& vertices = mesh.element_vertices.emplace_back();
    for (int v = 0; v < 4; ++v) vertices[v] = static_cast<std::uint32_t>(corners.index(path[v]));
    mesh.element_faces.emplace_back();
    for (std::uint8_t f = 0; f < 4; ++f) {
      std::array<Corner, 3> face;
      std::remove_copy(path.begin(), path.end(), face.begin(), path[f]);
      const auto [at, is_new] = first_seen.try_emplace({id(face[0]), id(face[1]), id(face[2])},
                                                       mesh::FaceLink{mesh::FaceLink::Kind::element, f, element});
      if (is_new) continue;
      mesh.element_faces[element][f] = at->second;
      mesh.element_faces[at->second.index][at->second.face] = {mesh::FaceLink::Kind::element, f, element};
      first_seen.erase(at);
    }
  }
  for (const auto& [ids, link] : first_seen) {
    const auto& path = paths[link.index];
    std::array<Corner, 3> face;
    std::remove_copy(path.begin(), path.end(), face.begin(), path[link.face]);
    mesh.element_faces[link.index][link.face] = {mesh::FaceLink::Kind::boundary, 0, side_of(face, cells)};
  }
  mesh.global_elements = static_cast<std::int64_t>(mesh.elements());
  mesh.global_vertices = static_cast<std::int64_t>(mesh.vertices.size());
  return mesh;
}

}  // namespace dgtd::dg::test
