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
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/gmsh_session.hpp"

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

/// A type of elements of Gmsh, and its nodes: the vertices, then those on edges.
struct ElementType {
  int type, order, nodes;
};
constexpr std::array<ElementType, 3> triangle_types{{{triangle_type, 1, 3}, {9, 2, 6}, {21, 3, 10}}},
    tetrahedron_types{{{tetrahedron_type, 1, 4}, {11, 2, 10}, {29, 3, 20}}};

/// The types of an entity's elements, by order. Throws for others than tetrahedra or triangles of first to third order.
std::vector<ElementType> element_types(int dimension, int entity, const std::string& source) {
  const auto& allowed = dimension == 3 ? tetrahedron_types : triangle_types;
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dimension, entity);
  std::sort(types.begin(), types.end());  // ascending as the orders are
  std::vector<ElementType> found;
  for (const int type : types) {
    const auto* const known =
        std::find_if(allowed.begin(), allowed.end(), [&](const auto& t) { return t.type == type; });
    if (known != allowed.end()) {
      found.push_back(*known);
      continue;
    }
    std::string name;
    int dim, order, nodes, primary;
    std::vector<double> reference;
    gmsh::model::mesh::getElementProperties(type, name, dim, order, nodes, reference, primary);
    throw Error(
        fmt::format("{}: {} {} has elements of type {} ({}); allowed are {} of first to third order (types "
                    "{}, {}, {}: gmsh -order 2)",
                    source, dimension == 3 ? "volume" : "surface", entity, type, name,
                    dimension == 3 ? "tetrahedra" : "triangles", allowed[0].type, allowed[1].type, allowed[2].type));
  }
  return found;
}

/// The node, or the two nodes, on an edge of a tetrahedron of second or third order, by tags.
struct EdgeNodes {
  std::array<std::int64_t, 2> ends;   // ascending
  std::array<std::int64_t, 2> nodes;  // the same twice: in the middle
  std::size_t element;
  bool is_middle() const { return nodes[0] == nodes[1]; }
};

/// The elements of an entity, appended as node tags (Gmsh's numbers of nodes): the N vertices come first.
template <std::size_t N>
std::size_t append_elements(int entity, const ElementType& type, std::vector<std::array<std::int64_t, N>>& elements,
                            std::vector<EdgeNodes>* edges = nullptr) {
  const auto all = static_cast<std::size_t>(type.nodes);
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(type.type, tags, nodes, entity);
  const std::size_t count = nodes.size() / all;
  elements.reserve(elements.size() + count);
  for (std::size_t e = 0; e < count; ++e) {
    std::array<std::int64_t, N> corners;
    for (std::size_t c = 0; c < N; ++c) corners[c] = static_cast<std::int64_t>(nodes[all * e + c]);
    if (edges != nullptr && type.order > 1) {
      const auto per_edge = static_cast<std::size_t>(type.order - 1);
      constexpr std::array<std::pair<int, int>, 6> order_of_gmsh{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
      for (std::size_t i = 0; i < 6; ++i) {
        const auto [low, high] = std::minmax(corners[static_cast<std::size_t>(order_of_gmsh[i].first)],
                                             corners[static_cast<std::size_t>(order_of_gmsh[i].second)]);
        const std::size_t first = all * e + 4 + per_edge * i;
        edges->push_back(
            {{low, high},
             {static_cast<std::int64_t>(nodes[first]), static_cast<std::int64_t>(nodes[first + per_edge - 1])},
             elements.size()});
      }
    }
    elements.push_back(corners);
  }
  return count;
}

std::vector<EdgeNodes> read_volumes(GlobalMesh& mesh) {
  Groups groups(3, mesh.source);
  std::vector<EdgeNodes> edges;
  for (const int entity : entities(3)) {
    const std::vector<ElementType> types = element_types(3, entity, mesh.source);
    if (types.empty()) continue;
    const std::vector<std::uint16_t> group = groups.of_entity(entity);
    if (group.size() > 1)
      throw Error(
          fmt::format("{}: element {} (volume {} in Gmsh) is in the volume groups \"{}\" and \"{}\"; it must be in "
                      "exactly one",
                      mesh.source, mesh.tetrahedra.size(), entity, groups.names()[group[0]], groups.names()[group[1]]));
    for (const ElementType& type : types)
      mesh.tetrahedron_group.insert(mesh.tetrahedron_group.end(),
                                    append_elements(entity, type, mesh.tetrahedra, &edges),
                                    group.empty() ? no_group : group[0]);
  }
  if (mesh.tetrahedra.empty()) throw Error(fmt::format("{}: the mesh has no tetrahedra", mesh.source));
  mesh.volume_names = groups.names();
  if (mesh.volume_names.empty())
    throw Error(
        fmt::format("{}: the mesh has no volume groups; name its volumes in Gmsh (Physical Volume)", mesh.source));
  return edges;
}

void read_surfaces(GlobalMesh& mesh) {
  Groups groups(2, mesh.source);
  for (const int entity : entities(2)) {
    std::vector<int> physical;
    gmsh::model::getPhysicalGroupsForEntity(2, entity, physical);
    if (physical.empty()) continue;
    const std::vector<ElementType> types = element_types(2, entity, mesh.source);
    if (types.empty()) continue;
    for (const std::uint16_t group : groups.of_entity(entity))
      for (const ElementType& type : types)
        mesh.triangle_group.insert(mesh.triangle_group.end(), append_elements(entity, type, mesh.triangles), group);
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

/// The edges that are not straight, of edges by tags. position: of a node by its tag; index: of a vertex by its tag.
/// An edge of third order, with nodes x_a, x_b at its thirds, becomes the one of second order through its middle,
///   (9 (x_a + x_b) - (x_i + x_j)) / 16
/// (cubic interpolation): for P1 to P4 edges of second order are exact enough (docs/theory.md, "Curved elements").
template <class Position, class Index>
void find_curved_edges(GlobalMesh& mesh, std::vector<EdgeNodes>&& edges, const Position& position, const Index& index) {
  constexpr double straight = 1e-6, same = 1e-9;  // of the chord's length
  std::sort(edges.begin(), edges.end(), [](const EdgeNodes& a, const EdgeNodes& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.element < b.element;
  });
  const auto middle = [&](const EdgeNodes& m) {
    if (m.is_middle()) return position(m.nodes[0]);
    return (1.0 / 16) *
           (9 * (position(m.nodes[0]) + position(m.nodes[1])) - (position(m.ends[0]) + position(m.ends[1])));
  };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const EdgeNodes& m = edges[i];
    const Vec3 low = position(m.ends[0]), high = position(m.ends[1]), x = middle(m);
    const double length = norm(high - low);
    if (i > 0 && edges[i - 1].ends == m.ends) {
      if (m.nodes != edges[i - 1].nodes && norm(x - middle(edges[i - 1])) > same * length)
        throw Error(fmt::format("{}: elements {} and {} share an edge and have different nodes {} and {} on it",
                                mesh.source, edges[i - 1].element, m.element, edges[i - 1].nodes[0], m.nodes[0]));
      continue;
    }
    const Vec3 bend = x - 0.5 * (low + high);
    if (norm(bend) <= straight * length) continue;
    const std::int64_t a = index(m.ends[0]), b = index(m.ends[1]);
    mesh.curved_edges.push_back({{std::min(a, b), std::max(a, b)}, bend});
  }
  std::sort(mesh.curved_edges.begin(), mesh.curved_edges.end(),
            [](const CurvedEdge& a, const CurvedEdge& b) { return a.vertices < b.vertices; });
}

/// Coordinates of the nodes that elements use, in the order of their tags; elements then refer to
/// these instead of to tags.
void read_vertices(GlobalMesh& mesh, std::vector<EdgeNodes>&& edges, double unit) {
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
  if (!edges.empty()) {
    std::vector<std::int64_t> place(largest + 1, unused);  // [node tags] in tags
    for (std::size_t n = 0; n < tags.size(); ++n) place[tags[n]] = static_cast<std::int64_t>(n);
    for (const EdgeNodes& m : edges)
      for (const std::int64_t node : m.nodes)
        if (node < 1 || node > static_cast<std::int64_t>(largest) || place[static_cast<std::size_t>(node)] == unused)
          throw Error(fmt::format("{}: an element has the node {}, which is not given", mesh.source, node));
    find_curved_edges(
        mesh, std::move(edges),
        [&](std::int64_t tag) {
          const auto n = static_cast<std::size_t>(place[static_cast<std::size_t>(tag)]);
          return unit * Vec3{coordinates[3 * n], coordinates[3 * n + 1], coordinates[3 * n + 2]};
        },
        [&](std::int64_t tag) { return index[static_cast<std::size_t>(tag)]; });
  }
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
    std::vector<EdgeNodes> edges = read_volumes(mesh);
    read_surfaces(mesh);
    read_vertices(mesh, std::move(edges), unit);
  } catch (const std::string& message) {  // what Gmsh 4.8 throws
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, message.substr(0, message.find('\n'))));
  } catch (const std::logic_error& error) {  // of the containers that Gmsh uses
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, error.what()));
  }
  return mesh;
}

}  // namespace dgtd::mesh
