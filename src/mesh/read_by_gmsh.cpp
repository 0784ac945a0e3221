// MSH 2.2 and 4.1 through the Gmsh SDK. Gmsh sorts the elements of either format into geometric
// entities, each of which carries its physical groups; what follows sees entities only.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "dgtd/base/error.hpp"
#include "gmsh_session.hpp"
#include "gmsh_library.hpp"

namespace dgtd::mesh {
namespace {

/// The physical groups of one dimension: name and index in a GlobalMesh by physical tag.
class Groups {
 public:
  Groups(int dimension, const std::string& source) : dimension_(dimension), source_(source) {}

  /// Indices of the groups that an entity belongs to. A group enters the list when it is first met,
  /// so that the list has no group without elements.
  std::vector<std::uint16_t> of_entity(int entity) {
    std::vector<int> physical;
    gmsh::model::getPhysicalGroupsForEntity(dimension_, entity, physical);
    std::vector<std::uint16_t> indices;
    for (const int tag : physical) indices.push_back(index(std::abs(tag)));  // the sign is an orientation
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::uint16_t index(int tag) {
    const auto known = std::find(tags_.begin(), tags_.end(), tag);
    if (known != tags_.end()) return static_cast<std::uint16_t>(known - tags_.begin());
    std::string name;
    gmsh::model::getPhysicalName(dimension_, tag, name);
    if (name.empty()) name = std::to_string(tag);
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      throw Error(fmt::format("{}: two physical groups of dimension {} have the name \"{}\"; names must differ",
                              source_, dimension_, name));
    if (names_.size() == no_group)
      throw Error(fmt::format("{}: more than {} physical groups of dimension {}", source_, no_group, dimension_));
    tags_.push_back(tag);
    names_.push_back(name);
    return static_cast<std::uint16_t>(names_.size() - 1);
  }

  int dimension_;
  std::string source_;
  std::vector<int> tags_;           // [groups] Gmsh's physical tag
  std::vector<std::string> names_;  // [groups]
};

std::vector<int> entities(int dimension) {
  gmsh::vectorpair pairs;
  gmsh::model::getEntities(pairs, dimension);
  std::vector<int> tags;
  for (const auto& [dim, tag] : pairs) tags.push_back(tag);
  return tags;
}

/// Throws unless the entity's elements are of the one allowed type. Returns whether it has any.
bool has_elements(int dimension, int entity, int allowed, const std::string& source) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dimension, entity);
  for (const int type : types) {
    if (type == allowed) continue;
    std::string name;
    int dim, order, nodes, primary;
    std::vector<double> reference;
    gmsh::model::mesh::getElementProperties(type, name, dim, order, nodes, reference, primary);
    throw Error(fmt::format("{}: {} {} has elements of type {} ({}); allowed are affine {} (type {})", source,
                            dimension == 3 ? "volume" : "surface", entity, type, name,
                            dimension == 3 ? "tetrahedra" : "triangles", allowed));
  }
  return !types.empty();
}

/// The elements of an entity, appended as node tags (Gmsh's numbers of nodes).
template <std::size_t N>
std::size_t append_elements(int entity, int type, std::vector<std::array<std::int64_t, N>>& elements) {
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(type, tags, nodes, entity);
  const std::size_t count = nodes.size() / N;
  elements.reserve(elements.size() + count);
  for (std::size_t e = 0; e < count; ++e) {
    std::array<std::int64_t, N> corners;
    for (std::size_t c = 0; c < N; ++c) corners[c] = static_cast<std::int64_t>(nodes[N * e + c]);
    elements.push_back(corners);
  }
  return count;
}

void read_volumes(GlobalMesh& mesh) {
  Groups groups(3, mesh.source);
  for (const int entity : entities(3)) {
    if (!has_elements(3, entity, tetrahedron_type, mesh.source)) continue;
    const std::vector<std::uint16_t> group = groups.of_entity(entity);
    if (group.size() > 1)
      throw Error(
          fmt::format("{}: element {} (volume {} in Gmsh) is in the volume groups \"{}\" and \"{}\"; it must be in "
                      "exactly one",
                      mesh.source, mesh.tetrahedra.size(), entity, groups.names()[group[0]], groups.names()[group[1]]));
    const std::size_t count = append_elements(entity, tetrahedron_type, mesh.tetrahedra);
    mesh.tetrahedron_group.insert(mesh.tetrahedron_group.end(), count, group.empty() ? no_group : group[0]);
  }
  if (mesh.tetrahedra.empty()) throw Error(fmt::format("{}: the mesh has no tetrahedra", mesh.source));
  mesh.volume_names = groups.names();
  if (mesh.volume_names.empty())
    throw Error(
        fmt::format("{}: the mesh has no volume groups; name its volumes in Gmsh (Physical Volume)", mesh.source));
}

void read_surfaces(GlobalMesh& mesh) {
  Groups groups(2, mesh.source);
  for (const int entity : entities(2)) {
    std::vector<int> physical;
    gmsh::model::getPhysicalGroupsForEntity(2, entity, physical);
    if (physical.empty() || !has_elements(2, entity, triangle_type, mesh.source)) continue;
    for (const std::uint16_t group : groups.of_entity(entity))
      mesh.triangle_group.insert(mesh.triangle_group.end(), append_elements(entity, triangle_type, mesh.triangles),
                                 group);
  }
  mesh.surface_names = groups.names();
}

/// Makes node tags dense, so that a table can replace a search. Changes the tags of all elements.
void close_gaps_in_node_tags() {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters, -1, -1, false, false);
  if (!tags.empty() && *std::max_element(tags.begin(), tags.end()) > 4 * tags.size() + 1000)
    gmsh::model::mesh::renumberNodes();
}

/// Coordinates of the nodes that elements use, in the order of their tags; elements then refer to
/// these instead of to tags.
void read_vertices(GlobalMesh& mesh, double unit) {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters, -1, -1, false, false);
  const std::size_t largest = tags.empty() ? 0 : *std::max_element(tags.begin(), tags.end());

  constexpr std::int64_t unused = -1;
  std::vector<std::int64_t> index(largest + 1, unused);  // [node tags] vertex
  const auto mark = [&](const auto& elements) {
    for (const auto& corners : elements)
      for (const std::int64_t tag : corners) {
        if (tag < 1 || tag > static_cast<std::int64_t>(largest))
          throw Error(fmt::format("{}: an element has the node {}, which is not given", mesh.source, tag));
        index[tag] = 0;
      }
  };
  mark(mesh.tetrahedra);
  mark(mesh.triangles);
  std::int64_t vertices = 0;
  for (std::int64_t& i : index)
    if (i != unused) i = vertices++;

  mesh.vertices.resize(vertices);
  for (std::size_t n = 0; n < tags.size(); ++n)
    if (const std::int64_t v = index[tags[n]]; v != unused)
      mesh.vertices[v] = unit * Vec3{coordinates[3 * n], coordinates[3 * n + 1], coordinates[3 * n + 2]};
  const auto renumber = [&](auto& elements) {
    for (auto& corners : elements)
      for (std::int64_t& corner : corners) corner = index[corner];
  };
  renumber(mesh.tetrahedra);
  renumber(mesh.triangles);
}

}  // namespace

GlobalMesh read_mesh_by_gmsh(const std::filesystem::path& file, double unit) {
  GlobalMesh mesh;
  mesh.source = file.filename().string();
  const GmshSession session;
  try {
    gmsh::merge(file.string());  // open() would also look for option files, and stays locked after an error
    close_gaps_in_node_tags();
    read_volumes(mesh);
    read_surfaces(mesh);
    read_vertices(mesh, unit);
  } catch (const std::string& message) {  // what Gmsh 4.8 throws
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, message.substr(0, message.find('\n'))));
  } catch (const std::logic_error& error) {  // of the containers that Gmsh uses
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, error.what()));
  }
  return mesh;
}

}  // namespace dgtd::mesh
