// From the content of an MSH file to a mesh: tetrahedra, triangles of named surfaces, and the nodes that they use.
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <set>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/compact/mapped_file.hpp"
#include "mesh/compact/parallel_algorithms.hpp"
#include "mesh/read/curved_edges.hpp"
#include "mesh/read/msh_contents.hpp"

namespace dgtd::mesh {
namespace {

void require_mesh_file(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw Error(fmt::format("mesh file {} does not exist", file.string()));
  std::ifstream stream(file, std::ios::binary);
  std::string start(11, ' ');
  stream.read(start.data(), 11);
  if (!stream && stream.gcount() == 0)
    throw Error(fmt::format("mesh file {} cannot be read or is empty", file.string()));
  if (start != "$MeshFormat" && start.substr(0, 9) != "$Comments")
    throw Error(fmt::format("{} is not a Gmsh mesh; allowed are MSH 2.2 and 4.1, ASCII or binary", file.string()));
}

/// The elements of an entity.
struct Part {
  std::int64_t entity;
  std::vector<std::pair<std::int64_t, const std::vector<MshElements>*>>
      types;  // ascending: number of the type, elements
};

/// The physical groups of one dimension that have elements, in the order in which entities with lower tags have them.
class Groups {
 public:
  Groups(int dimension, const MshContents& file, const std::string& source)
      : dimension_(dimension), file_(file), source_(source) {}

  /// Indices into names(), ascending.
  std::vector<std::uint16_t> of_entity(std::int64_t entity) {
    std::vector<std::uint16_t> indices;
    const auto found = file_.groups.find({dimension_, entity});
    if (found == file_.groups.end()) return indices;
    for (const std::int64_t tag : found->second) indices.push_back(index(std::abs(tag)));
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::uint16_t index(std::int64_t tag) {
    if (const auto known = of_tag_.find(tag); known != of_tag_.end()) return known->second;
    const auto given = file_.names.find({dimension_, tag});
    const std::string name = given == file_.names.end() ? std::to_string(tag) : given->second;
    if (!taken_.insert(name).second)
      throw Error(fmt::format("{}: two physical groups of dimension {} have the name \"{}\"; names must differ",
                              source_, dimension_, name));
    if (names_.size() == no_group)
      throw Error(fmt::format("{}: more than {} physical groups of dimension {}", source_, no_group, dimension_));
    names_.push_back(name);
    return of_tag_[tag] = static_cast<std::uint16_t>(names_.size() - 1);
  }

  int dimension_;
  const MshContents& file_;
  const std::string& source_;
  std::map<std::int64_t, std::uint16_t> of_tag_;
  std::set<std::string> taken_;
  std::vector<std::string> names_;  // [groups]
};

class MeshOfFile {
 public:
  MeshOfFile(const MshContents& file, const std::string& source, double unit)
      : file_(file), unit_(unit), is_used_(file.numbers.places(), 0) {
    mesh_.source = source;
  }

  GlobalMesh make() {
    add_volumes();
    add_surfaces();
    add_vertices();
    return std::move(mesh_);
  }

 private:
  /// By entity, in the order of tags.
  std::vector<Part> parts(int dimension) const {
    std::vector<Part> found;
    for (auto kind = file_.elements.lower_bound({{dimension, 0}, 0});
         kind != file_.elements.end() && kind->first.entity.dimension == dimension; ++kind) {
      if (found.empty() || found.back().entity != kind->first.entity.tag) found.push_back({kind->first.entity.tag, {}});
      found.back().types.emplace_back(kind->first.type, &kind->second);
    }
    return found;
  }

  void require_allowed(const Part& part, int dimension) const {
    constexpr std::int64_t allowed[2][3] = {{2, 9, 21}, {4, 11, 29}};
    const auto& types = allowed[dimension - 2];
    for (const auto& [type, elements] : part.types)
      if (std::find(std::begin(types), std::end(types), type) == std::end(types))
        throw Error(
            fmt::format("{}: {} {} has elements of type {} ({}); allowed are {} of first to third order (types "
                        "{}, {}, {}: gmsh -order 2)",
                        mesh_.source, dimension == 3 ? "volume" : "surface", part.entity, type, msh_type(type)->name,
                        dimension == 3 ? "tetrahedra" : "triangles", types[0], types[1], types[2]));
  }

  /// Appends the vertices of elements, which come first of their nodes, by places of nodes.
  template <std::size_t N>
  void append(const Part& part, std::vector<std::array<std::int64_t, N>>& elements) {
    for (const auto& [type, blocks] : part.types)
      for (const MshElements& each : *blocks) {
        const auto first = static_cast<std::int64_t>(elements.size());
        elements.resize(elements.size() + static_cast<std::size_t>(each.count));
        // Copies, which stores of bytes cannot change.
        const MshElements block = each;
        const bool dense = file_.numbers.are_dense();
        std::array<std::int64_t, N>* const to = elements.data() + first;
        unsigned char* const is_used = is_used_.data();
#pragma omp parallel for schedule(static) if (block.count > few_iterations)
        for (std::int64_t e = 0; e < block.count; ++e)
          for (std::size_t c = 0; c < N; ++c) {
            const std::int64_t number = block.node(e, static_cast<std::int64_t>(c));
            const std::size_t place = dense ? static_cast<std::size_t>(number) : file_.numbers.place(number);
            std::atomic_ref(is_used[place]).store(1, std::memory_order_relaxed);
            to[e][c] = static_cast<std::int64_t>(place);
          }
        if (N == 4 && block.nodes > 4) append_edges(block, first);
      }
  }

  void append_edges(const MshElements& block, std::int64_t first_element) {
    constexpr std::int64_t vertices[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};  // Gmsh's order
    const std::int64_t per_edge = block.nodes == 10 ? 1 : 2;
    const auto first = static_cast<std::int64_t>(edges_.size());
    edges_.resize(edges_.size() + 6 * static_cast<std::size_t>(block.count));
#pragma omp parallel for schedule(static) if (block.count > few_iterations)
    for (std::int64_t e = 0; e < block.count; ++e)
      for (std::int64_t i = 0; i < 6; ++i) {
        const auto place = [&](std::int64_t node) {
          return static_cast<std::int64_t>(file_.numbers.place(block.node(e, node)));
        };
        const auto [low, high] = std::minmax({place(vertices[i][0]), place(vertices[i][1])});
        const std::int64_t node = 4 + per_edge * i;
        edges_[static_cast<std::size_t>(first + 6 * e + i)] = {
            {low, high}, first_element + e, {place(node), place(node + per_edge - 1)}};
      }
  }

  void add_volumes() {
    Groups groups(3, file_, mesh_.source);
    const std::vector<Part> volumes = parts(3);
    std::int64_t count = 0;
    for (const Part& part : volumes)
      for (const auto& [type, blocks] : part.types)
        for (const MshElements& block : *blocks) count += block.count;
    mesh_.tetrahedra.reserve(static_cast<std::size_t>(count));
    for (const Part& part : volumes) {
      require_allowed(part, 3);
      const std::vector<std::uint16_t> group = groups.of_entity(part.entity);
      if (group.size() > 1)
        throw Error(fmt::format(
            "{}: element {} (volume {} in Gmsh) is in the volume groups \"{}\" and \"{}\"; it must be in "
            "exactly one",
            mesh_.source, mesh_.tetrahedra.size(), part.entity, groups.names()[group[0]], groups.names()[group[1]]));
      append(part, mesh_.tetrahedra);
      mesh_.tetrahedron_group.resize(mesh_.tetrahedra.size(), group.empty() ? no_group : group[0]);
    }
    if (mesh_.tetrahedra.empty()) throw Error(fmt::format("{}: the mesh has no tetrahedra", mesh_.source));
    mesh_.volume_names = groups.names();
    if (mesh_.volume_names.empty())
      throw Error(
          fmt::format("{}: the mesh has no volume groups; name its volumes in Gmsh (Physical Volume)", mesh_.source));
  }

  void add_surfaces() {
    constexpr std::size_t most_groups = 16;  // each has the triangles once more in memory
    Groups groups(2, file_, mesh_.source);
    for (const Part& part : parts(2)) {
      if (!file_.groups.contains({2, part.entity})) continue;
      require_allowed(part, 2);
      const std::vector<std::uint16_t> indices = groups.of_entity(part.entity);
      if (indices.size() > most_groups)
        throw Error(fmt::format("{}: surface {} is in {} physical groups; allowed are {}", mesh_.source, part.entity,
                                indices.size(), most_groups));
      for (const std::uint16_t group : indices) {
        append(part, mesh_.triangles);
        mesh_.triangle_group.resize(mesh_.triangles.size(), group);
      }
    }
    mesh_.surface_names = groups.names();
  }

  /// Vertices are the nodes that tetrahedra and triangles use, in the order of their numbers.
  void add_vertices() {
    std::vector<std::int64_t> vertex(is_used_.size());  // [places]
    std::int64_t count = 0;
    for (std::size_t place = 0; place < vertex.size(); ++place)
      if (is_used_[place] != 0) vertex[place] = count++;
    if (MshNodeNumbers::are_far_apart(count, file_.numbers.highest())) order_by_entities(vertex);
    mesh_.vertices.resize(static_cast<std::size_t>(count));
    std::vector<Vec3> positions(edges_.empty() ? 0 : vertex.size());  // [places] m
    for (const MshNodes& block : file_.nodes) {
#pragma omp parallel for schedule(static) if (block.count > few_iterations)
      for (std::int64_t n = 0; n < block.count; ++n) {
        const std::size_t place = file_.numbers.place(block.number(n));
        const Vec3 x = unit_ * block.position(n);
        if (is_used_[place] != 0) mesh_.vertices[static_cast<std::size_t>(vertex[place])] = x;
        if (!positions.empty()) positions[place] = x;
      }
    }
    if (!edges_.empty()) find_curved_edges(mesh_, std::move(edges_), positions, vertex, file_.numbers);
    const auto renumber = [&](auto& elements) {
#pragma omp parallel for schedule(static)
      for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::int64_t& corner : elements[e]) corner = vertex[static_cast<std::size_t>(corner)];
    };
    renumber(mesh_.tetrahedra);
    renumber(mesh_.triangles);
  }

  /// Vertices in the order of the entities that have their nodes, where numbers of nodes are far apart: so did Gmsh,
  /// which once read such files, and identities of meshes must stay. Nodes of MSH 2 are those of the entities of lowest
  /// dimension whose elements have them; Gmsh left out the others.
  void order_by_entities(std::vector<std::int64_t>& vertex) const {
    constexpr MshEntity none{4, 0};
    std::vector<MshEntity> owner(vertex.size(), none);     // [places]
    std::vector<std::pair<MshEntity, std::size_t>> order;  // of places, by entities
    if (file_.version < 4) {
      for (const auto& [kind, blocks] : file_.elements)
        for (const MshElements& block : blocks)
          for (std::int64_t e = 0; e < block.count; ++e)
            for (std::int64_t n = 0; n < block.nodes; ++n) {
              MshEntity& entity = owner[file_.numbers.place(block.node(e, n))];
              if (entity.dimension > kind.entity.dimension) entity = kind.entity;
            }
      for (std::size_t place = 0; place < owner.size(); ++place)
        if (owner[place] != none) order.emplace_back(owner[place], place);
    } else {
      for (const MshNodes& block : file_.nodes)
        for (std::int64_t n = 0; n < block.count; ++n)
          order.emplace_back(block.entity, file_.numbers.place(block.number(n)));
    }
    std::int64_t highest = 0;
    for (const auto& [entity, place] : order) highest = std::max(highest, file_.numbers.number(place));
    if (!MshNodeNumbers::are_far_apart(static_cast<std::int64_t>(order.size()), highest)) return;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::int64_t next = 0;
    for (const auto& [entity, place] : order)
      if (is_used_[place] != 0) vertex[place] = next++;
  }

  const MshContents& file_;
  double unit_;
  GlobalMesh mesh_;
  std::vector<unsigned char> is_used_;  // [places]
  std::vector<EdgeNodes> edges_;
};

}  // namespace

GlobalMesh read_gmsh(const std::filesystem::path& file, double unit) {
  if (!(unit > 0 && std::isfinite(unit))) throw Error(fmt::format("{}: unit {} must be positive", file.string(), unit));
  require_mesh_file(file);
  const std::string source = file.filename().string();
  const MappedFile mapped(file);
  const MshContents contents = read_msh_contents(mapped.text(), source);
  return MeshOfFile(contents, source, unit).make();
}

}  // namespace dgtd::mesh
