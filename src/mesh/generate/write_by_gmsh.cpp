// Meshes to MSH files by the Gmsh SDK.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

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

/// Tetrahedra with a curved edge, as elements of second order; their straight edges have a node in the middle.
struct SecondOrder {
  std::vector<Vec3> nodes;                            // m, numbers follow those of the vertices
  std::vector<std::vector<std::size_t>> of_group;     // [volume groups] ten nodes per element
  std::vector<std::vector<std::size_t>> first_order;  // [volume groups] four nodes of each other element
};

SecondOrder second_order_elements(const GlobalMesh& mesh) {
  SecondOrder result;
  result.of_group.resize(mesh.volume_names.size());
  result.first_order.resize(mesh.volume_names.size());
  std::map<std::array<std::int64_t, 2>, Vec3> bend;
  for (const CurvedEdge& edge : mesh.curved_edges) bend[edge.vertices] = edge.bend;
  std::map<std::array<std::int64_t, 2>, std::size_t> number;
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> order_of_gmsh{
      {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto& corners = mesh.tetrahedra[e];
    std::array<std::array<std::int64_t, 2>, 6> edges;
    bool curved = false;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [low, high] = std::minmax(corners[order_of_gmsh[i].first], corners[order_of_gmsh[i].second]);
      edges[i] = {low, high};
      curved = curved || bend.contains(edges[i]);
    }
    auto& list = (curved ? result.of_group : result.first_order)[mesh.tetrahedron_group[e]];
    for (const std::int64_t v : corners) list.push_back(static_cast<std::size_t>(v) + 1);
    for (std::size_t i = 0; curved && i < 6; ++i) {
      const auto [at, is_new] = number.try_emplace(edges[i], mesh.vertices.size() + result.nodes.size() + 1);
      if (is_new) {
        const auto found = bend.find(edges[i]);
        const Vec3 &a = mesh.vertices[static_cast<std::size_t>(edges[i][0])],
                   &b = mesh.vertices[static_cast<std::size_t>(edges[i][1])];
        result.nodes.push_back(0.5 * (a + b) + (found == bend.end() ? Vec3{} : found->second));
      }
      list.push_back(at->second);
    }
  }
  return result;
}

void add_second_order(const GlobalMesh& mesh, std::size_t next_element) {
  constexpr int type = 11;
  const SecondOrder second = second_order_elements(mesh);
  std::vector<std::size_t> tags(second.nodes.size());
  std::iota(tags.begin(), tags.end(), mesh.vertices.size() + 1);
  std::vector<double> coordinates;
  for (const Vec3& v : second.nodes) coordinates.insert(coordinates.end(), {v.x, v.y, v.z});
  gmsh::model::mesh::addNodes(3, 1, tags, coordinates);
  // Gmsh allows one type of tetrahedra per volume: a group has two.
  for (std::size_t g = 0; g < mesh.volume_names.size(); ++g) {
    const int tags[2] = {static_cast<int>(g) + 1, static_cast<int>(g + mesh.volume_names.size()) + 1};
    std::vector<int> used{tags[0]};  // also where it has no elements: nodes of volumes without a group are written wrongly
    for (const bool is_second : {false, true}) {
      const auto& nodes = is_second ? second.of_group[g] : second.first_order[g];
      std::vector<std::size_t> elements(nodes.size() / (is_second ? 10 : 4));
      std::iota(elements.begin(), elements.end(), next_element);
      next_element += elements.size();
      if (elements.empty()) continue;
      if (is_second) gmsh::model::addDiscreteEntity(3, tags[1]);
      gmsh::model::mesh::addElementsByType(tags[is_second], is_second ? type : tetrahedron_type, elements, nodes);
      if (is_second) used.push_back(tags[1]);
    }
    gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, used, tags[0]), mesh.volume_names[g]);
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
  if (!mesh.curved_edges.empty()) return add_second_order(mesh, next_element);
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
