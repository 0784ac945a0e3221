// Meshes to MSH files by the Gmsh SDK.
#include <fmt/format.h>
#include <gmsh.h>

#include <numeric>

#include "dgtd/base/error.hpp"
#include "gmsh_session.hpp"
#include "gmsh_library.hpp"
#include "unfinished_mesh.hpp"

namespace dgtd::mesh {
namespace {

/// The elements of each group, with Gmsh's numbers of their vertices (from 1 on).
template <std::size_t Corners>
std::vector<std::vector<std::size_t>> nodes_by_group(const std::vector<std::array<std::int64_t, Corners>>& elements,
                                                     const std::vector<std::uint16_t>& group, std::size_t groups) {
  std::vector<std::vector<std::size_t>> nodes(groups);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const std::int64_t v : elements[e]) nodes[group[e]].push_back(static_cast<std::size_t>(v) + 1);
  return nodes;
}

void add_groups(int dimension, int type, const std::vector<std::vector<std::size_t>>& nodes, std::size_t corners,
                const std::vector<std::string>& names, std::size_t& next_element) {
  for (std::size_t g = 0; g < names.size(); ++g) {
    const int tag = static_cast<int>(g) + 1;
    std::vector<std::size_t> elements(nodes[g].size() / corners);
    std::iota(elements.begin(), elements.end(), next_element);
    next_element += elements.size();
    gmsh::model::mesh::addElementsByType(tag, type, elements, nodes[g]);
    // Numbers of physical groups differ between dimensions: MSH 2.2 does not tell volumes from surfaces by them.
    const int physical = gmsh::model::addPhysicalGroup(dimension, {tag}, dimension == 3 ? tag : 1000 + tag);
    gmsh::model::setPhysicalName(dimension, physical, names[g]);
  }
}

void fill_model(const GlobalMesh& mesh) {
  for (std::size_t g = 0; g < mesh.surface_names.size(); ++g) gmsh::model::addDiscreteEntity(2, int(g) + 1);
  for (std::size_t g = 0; g < mesh.volume_names.size(); ++g) gmsh::model::addDiscreteEntity(3, int(g) + 1);
  std::vector<std::size_t> tags(mesh.vertices.size());
  std::iota(tags.begin(), tags.end(), std::size_t{1});
  std::vector<double> coordinates;
  coordinates.reserve(3 * tags.size());
  for (const Vec3& v : mesh.vertices) coordinates.insert(coordinates.end(), {v.x, v.y, v.z});
  gmsh::model::mesh::addNodes(3, 1, tags, coordinates);
  std::size_t next_element = 1;
  add_groups(2, triangle_type, nodes_by_group(mesh.triangles, mesh.triangle_group, mesh.surface_names.size()), 3,
             mesh.surface_names, next_element);
  add_groups(3, tetrahedron_type, nodes_by_group(mesh.tetrahedra, mesh.tetrahedron_group, mesh.volume_names.size()), 4,
             mesh.volume_names, next_element);
}

}  // namespace

void write_msh_by_gmsh(const GlobalMesh& mesh, const std::filesystem::path& file, MshForm form) {
  check_writable(file);
  const GmshSession session;
  try {
    fill_model(mesh);
    const bool new_version = form == MshForm::binary_4_1 || form == MshForm::text_4_1;
    const bool binary = form == MshForm::binary_4_1 || form == MshForm::binary_2_2;
    gmsh::option::setNumber("Mesh.MshFileVersion", new_version ? 4.1 : 2.2);
    gmsh::option::setNumber("Mesh.Binary", binary ? 1 : 0);
    gmsh::write(file.string());
  } catch (const std::string& message) {  // what Gmsh 4.8 throws
    throw Error(ExitCode::other, fmt::format("{}: cannot be written: gmsh: {}", file.string(), one_line(message)));
  }
}

}  // namespace dgtd::mesh
