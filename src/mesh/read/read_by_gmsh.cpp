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

constexpr int second_order_triangle = 9, second_order_tetrahedron = 11;

/// The types of an entity's elements, those of first order first. Throws for others than tetrahedra or triangles of
/// first and second order.
std::vector<int> element_types(int dimension, int entity, const std::string& source) {
  const int first = dimension == 3 ? tetrahedron_type : triangle_type,
            second = dimension == 3 ? second_order_tetrahedron : second_order_triangle;
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dimension, entity);
  std::sort(types.begin(), types.end());
  for (const int type : types) {
    if (type == first || type == second) continue;
    std::string name;
    int dim, order, nodes, primary;
    std::vector<double> reference;
    gmsh::model::mesh::getElementProperties(type, name, dim, order, nodes, reference, primary);
    throw Error(fmt::format("{}: {} {} has elements of type {} ({}); allowed are {} of first and second order (types "
                            "{}, {}: gmsh -order 2)",
                            source, dimension == 3 ? "volume" : "surface", entity, type, name,
                            dimension == 3 ? "tetrahedra" : "triangles", first, second));
  }
  return types;
}

/// The node of an edge of a second-order tetrahedron, by tags.
struct MiddleNode {
  std::array<std::int64_t, 2> ends;  // ascending
  std::int64_t node;
  std::size_t element;
};

/// The elements of an entity, appended as node tags (Gmsh's numbers of nodes): the N vertices come first.
template <std::size_t N>
std::size_t append_elements(int entity, int type, std::vector<std::array<std::int64_t, N>>& elements,
                            std::vector<MiddleNode>* middles = nullptr) {
  const std::size_t all = type == second_order_tetrahedron ? 10 : type == second_order_triangle ? 6 : N;
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(type, tags, nodes, entity);
  const std::size_t count = nodes.size() / all;
  elements.reserve(elements.size() + count);
  for (std::size_t e = 0; e < count; ++e) {
    std::array<std::int64_t, N> corners;
    for (std::size_t c = 0; c < N; ++c) corners[c] = static_cast<std::int64_t>(nodes[all * e + c]);
    if (middles != nullptr && all == 10) {
      constexpr std::array<std::pair<int, int>, 6> order_of_gmsh{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
      for (std::size_t i = 0; i < 6; ++i) {
        const auto [low, high] = std::minmax(corners[static_cast<std::size_t>(order_of_gmsh[i].first)],
                                             corners[static_cast<std::size_t>(order_of_gmsh[i].second)]);
        middles->push_back({{low, high}, static_cast<std::int64_t>(nodes[all * e + 4 + i]), elements.size()});
      }
    }
    elements.push_back(corners);
  }
  return count;
}

std::vector<MiddleNode> read_volumes(GlobalMesh& mesh) {
  Groups groups(3, mesh.source);
  std::vector<MiddleNode> middles;
  for (const int entity : entities(3)) {
    const std::vector<int> types = element_types(3, entity, mesh.source);
    if (types.empty()) continue;
    const std::vector<std::uint16_t> group = groups.of_entity(entity);
    if (group.size() > 1)
      throw Error(
          fmt::format("{}: element {} (volume {} in Gmsh) is in the volume groups \"{}\" and \"{}\"; it must be in "
                      "exactly one",
                      mesh.source, mesh.tetrahedra.size(), entity, groups.names()[group[0]], groups.names()[group[1]]));
    for (const int type : types)
      mesh.tetrahedron_group.insert(mesh.tetrahedron_group.end(),
                                    append_elements(entity, type, mesh.tetrahedra, &middles),
                                    group.empty() ? no_group : group[0]);
  }
  if (mesh.tetrahedra.empty()) throw Error(fmt::format("{}: the mesh has no tetrahedra", mesh.source));
  mesh.volume_names = groups.names();
  if (mesh.volume_names.empty())
    throw Error(
        fmt::format("{}: the mesh has no volume groups; name its volumes in Gmsh (Physical Volume)", mesh.source));
  return middles;
}

void read_surfaces(GlobalMesh& mesh) {
  Groups groups(2, mesh.source);
  for (const int entity : entities(2)) {
    std::vector<int> physical;
    gmsh::model::getPhysicalGroupsForEntity(2, entity, physical);
    if (physical.empty()) continue;
    const std::vector<int> types = element_types(2, entity, mesh.source);
    if (types.empty()) continue;
    for (const std::uint16_t group : groups.of_entity(entity))
      for (const int type : types)
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

/// The edges that are not straight, of middles by tags. position: of a node by its tag; index: of a vertex by its tag.
template <class Position, class Index>
void find_curved_edges(GlobalMesh& mesh, std::vector<MiddleNode>&& middles, const Position& position,
                       const Index& index) {
  constexpr double straight = 1e-6, same = 1e-9;  // of the chord's length
  std::sort(middles.begin(), middles.end(), [](const MiddleNode& a, const MiddleNode& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.element < b.element;
  });
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const MiddleNode& m = middles[i];
    const Vec3 low = position(m.ends[0]), high = position(m.ends[1]), x = position(m.node);
    const double length = norm(high - low);
    if (i > 0 && middles[i - 1].ends == m.ends) {
      if (m.node != middles[i - 1].node && norm(x - position(middles[i - 1].node)) > same * length)
        throw Error(fmt::format("{}: elements {} and {} share an edge and have different nodes {} and {} on it",
                                mesh.source, middles[i - 1].element, m.element, middles[i - 1].node, m.node));
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
void read_vertices(GlobalMesh& mesh, std::vector<MiddleNode>&& middles, double unit) {
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
  if (!middles.empty()) {
    std::vector<std::int64_t> place(largest + 1, unused);  // [node tags] in tags
    for (std::size_t n = 0; n < tags.size(); ++n) place[tags[n]] = static_cast<std::int64_t>(n);
    for (const MiddleNode& m : middles)
      if (m.node < 1 || m.node > static_cast<std::int64_t>(largest) || place[static_cast<std::size_t>(m.node)] == unused)
        throw Error(fmt::format("{}: an element has the node {}, which is not given", mesh.source, m.node));
    find_curved_edges(
        mesh, std::move(middles),
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
    std::vector<MiddleNode> middles = read_volumes(mesh);
    read_surfaces(mesh);
    read_vertices(mesh, std::move(middles), unit);
  } catch (const std::string& message) {  // what Gmsh 4.8 throws
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, message.substr(0, message.find('\n'))));
  } catch (const std::logic_error& error) {  // of the containers that Gmsh uses
    throw Error(fmt::format("{}: Gmsh cannot read this mesh: {}", mesh.source, error.what()));
  }
  return mesh;
}

}  // namespace dgtd::mesh
