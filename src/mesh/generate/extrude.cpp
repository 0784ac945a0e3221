#include "mesh/generate/extrude.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/plate.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/face_adjacency.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

/// check() says what is wrong with the boundary.
[[noreturn]] void refuse_boundary(const GlobalMesh& mesh) {
  check(mesh);
  throw Error(fmt::format("{}: the boundary where layers are added is not that of the elements", mesh.source));
}

class Extruder {
 public:
  Extruder(GlobalMesh& mesh, const Extrusion& extrusion)
      : mesh_(mesh), extrusion_(extrusion), column_(mesh.vertices.size(), none) {
    number_columns();
    find_prisms();
    find_elements_behind();
    find_rim();
    name_rim();
    find_plates();
  }

  void build() {
    add_vertices();
    add_elements();
    add_triangles();
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Base vertices ascend in their columns' numbers, which give all strata the order of their vertices.
  void number_columns() {
    for (const std::size_t t : extrusion_.triangles)
      bases_.insert(bases_.end(), mesh_.triangles[t].begin(), mesh_.triangles[t].end());
    parallel_sort(bases_);
    bases_.erase(std::unique(bases_.begin(), bases_.end()), bases_.end());
    for (std::size_t c = 0; c < bases_.size(); ++c)
      column_[static_cast<std::size_t>(bases_[c])] = static_cast<std::uint32_t>(c);
  }

  void find_prisms() {
    prisms_.reserve(extrusion_.triangles.size());
    for (const std::size_t t : extrusion_.triangles) prisms_.push_back(columns_of(ascending(mesh_.triangles[t])));
    std::sort(prisms_.begin(), prisms_.end());
    prisms_.erase(std::unique(prisms_.begin(), prisms_.end()), prisms_.end());  // a file may list a triangle twice
  }

  void find_elements_behind() {
    behind_.resize(prisms_.size());
    std::vector<std::uint32_t> count(prisms_.size(), 0);
    const auto elements = static_cast<std::int64_t>(mesh_.tetrahedra.size());
#pragma omp parallel for schedule(static) if (elements > few_iterations)
    for (std::int64_t e = 0; e < elements; ++e) {
      const auto corners = mesh_.tetrahedra[static_cast<std::size_t>(e)];
      int on_base = 0;
      for (const std::int64_t v : corners) on_base += column_[static_cast<std::size_t>(v)] != none;
      if (on_base < 3) continue;
      const auto ordered = ascending(corners);
      for (int f = 0; f < 4; ++f) {
        const auto columns = columns_of(face_vertices(ordered, f));
        const auto found = std::lower_bound(prisms_.begin(), prisms_.end(), columns);
        if (found == prisms_.end() || *found != columns) continue;
        const auto p = static_cast<std::size_t>(found - prisms_.begin());
        std::atomic_ref(count[p]).fetch_add(1, std::memory_order_relaxed);
        std::atomic_ref(behind_[p]).store(e, std::memory_order_relaxed);
      }
    }
    for (const std::uint32_t elements_there : count)
      if (elements_there != 1) refuse_boundary(mesh_);
  }

  /// Edges of one prism.
  void find_rim() {
    std::vector<Edge> edges;
    edges.reserve(3 * prisms_.size());
    for (const auto& [a, b, c] : prisms_) edges.insert(edges.end(), {Edge{a, b}, Edge{a, c}, Edge{b, c}});
    parallel_sort(edges);
    for (std::size_t i = 0; i < edges.size();) {
      std::size_t end = i + 1;
      while (end < edges.size() && edges[end] == edges[i]) ++end;
      if (end == i + 1) rim_.push_back(edges[i]);
      i = end;
    }
  }

  void name_rim() {
    rim_group_.assign(rim_.size(), no_group);
    if (rim_.empty()) return;
    std::vector<bool> extruded(mesh_.triangles.size(), false);
    for (const std::size_t t : extrusion_.triangles) extruded[t] = true;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (extruded[t]) continue;
      const auto columns = columns_of(ascending(mesh_.triangles[t]));
      for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
        if (columns[i] == none || columns[j] == none) continue;
        const Edge edge{columns[i], columns[j]};
        const auto found = std::lower_bound(rim_.begin(), rim_.end(), edge);
        if (found == rim_.end() || *found != edge) continue;
        std::uint16_t& group = rim_group_[static_cast<std::size_t>(found - rim_.begin())];
        if (group == no_group) group = mesh_.triangle_group[t];
      }
    }
    if (std::find(rim_group_.begin(), rim_group_.end(), no_group) != rim_group_.end()) refuse_boundary(mesh_);
  }

  /// Edges in which plates end on the extruded part, where the strata have them as well.
  void find_plates() {
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (!mesh_.surface_names[mesh_.triangle_group[t]].ends_with(plate_suffix)) continue;
      std::array<std::uint32_t, 3> columns = columns_of(ascending(mesh_.triangles[t]));
      const auto end = std::remove(columns.begin(), columns.end(), none);
      if (end - columns.begin() == 2)
        plates_.push_back({{columns[0], columns[1]}, mesh_.triangle_group[t]});
    }
  }

  void add_vertices() {
    first_vertex_ = static_cast<std::int64_t>(mesh_.vertices.size());
    for (int stratum = 1; stratum <= extrusion_.strata; ++stratum)
      for (const std::int64_t base : bases_)
        mesh_.vertices.push_back(extrusion_.position(mesh_.vertices[static_cast<std::size_t>(base)], stratum));
  }

  /// The diagonal of each side of a prism goes from the lower column's inner vertex to the higher column's outer one,
  /// so prisms that share a side cut it alike.
  void add_elements() {
    std::vector<std::uint16_t> groups(prisms_.size());
    for (std::size_t p = 0; p < prisms_.size(); ++p)
      groups[p] = layer_of(mesh_.tetrahedron_group[static_cast<std::size_t>(behind_[p])]);
    for (int inner = 0; inner < extrusion_.strata; ++inner) {
      const int outer = inner + 1;
      for (std::size_t p = 0; p < prisms_.size(); ++p) {
        const auto [a, b, c] = prisms_[p];
        mesh_.tetrahedra.push_back({vertex(a, inner), vertex(b, inner), vertex(c, inner), vertex(c, outer)});
        mesh_.tetrahedra.push_back({vertex(a, inner), vertex(b, inner), vertex(b, outer), vertex(c, outer)});
        mesh_.tetrahedra.push_back({vertex(a, inner), vertex(a, outer), vertex(b, outer), vertex(c, outer)});
        mesh_.tetrahedron_group.insert(mesh_.tetrahedron_group.end(), 3, groups[p]);
      }
    }
  }

  void add_triangles() {
    for (const std::size_t t : extrusion_.triangles)
      for (std::int64_t& v : mesh_.triangles[t]) v = vertex(column_[static_cast<std::size_t>(v)], extrusion_.strata);
    for (int inner = 0; inner < extrusion_.strata; ++inner) {
      for (std::size_t r = 0; r < rim_.size(); ++r) add_upright(rim_[r], inner, rim_group_[r]);
      for (const auto& [edge, group] : plates_) add_upright(edge, inner, group);
    }
  }

  /// The triangles of a stratum over an edge.
  void add_upright(const std::pair<std::uint32_t, std::uint32_t>& edge, int inner, std::uint16_t group) {
    const auto [a, b] = edge;
    mesh_.triangles.push_back({vertex(a, inner), vertex(b, inner), vertex(b, inner + 1)});
    mesh_.triangles.push_back({vertex(a, inner), vertex(a, inner + 1), vertex(b, inner + 1)});
    mesh_.triangle_group.insert(mesh_.triangle_group.end(), 2, group);
  }

  /// Stratum 0: on the boundary.
  std::int64_t vertex(std::uint32_t column, int stratum) const {
    if (stratum == 0) return bases_[column];
    return first_vertex_ + (stratum - 1) * static_cast<std::int64_t>(bases_.size()) + column;
  }

  std::array<std::uint32_t, 3> columns_of(const std::array<std::int64_t, 3>& vertices) const {
    std::array<std::uint32_t, 3> columns;
    for (std::size_t i = 0; i < 3; ++i) columns[i] = column_[static_cast<std::size_t>(vertices[i])];
    return columns;
  }

  /// The group of the layer outside of a volume group; made where it is new.
  std::uint16_t layer_of(std::uint16_t group) {
    if (group == no_group || is_layer_name(mesh_.volume_names[group])) return group;
    layer_group_.resize(mesh_.volume_names.size(), no_group);
    if (layer_group_[group] == no_group) {
      const std::string name = mesh_.volume_names[group] + std::string(layer_suffix);
      const auto found = std::find(mesh_.volume_names.begin(), mesh_.volume_names.end(), name);
      layer_group_[group] = static_cast<std::uint16_t>(found - mesh_.volume_names.begin());
      if (found == mesh_.volume_names.end()) mesh_.volume_names.push_back(name);
    }
    return layer_group_[group];
  }

  using Edge = std::pair<std::uint32_t, std::uint32_t>;  // columns, ascending

  GlobalMesh& mesh_;
  const Extrusion& extrusion_;
  std::vector<std::uint32_t> column_;                 // [vertices of the mesh] or none
  std::vector<std::int64_t> bases_;                   // [columns] vertex on the boundary, ascending
  std::vector<std::array<std::uint32_t, 3>> prisms_;  // [prisms of a stratum] columns, ascending
  std::vector<std::int64_t> behind_;                  // [prisms] element
  std::vector<Edge> rim_;                             // ascending
  std::vector<std::uint16_t> rim_group_;              // [rim] surface group beyond it
  std::vector<std::pair<Edge, std::uint16_t>> plates_;  // edges of plates, surface group
  std::vector<std::uint16_t> layer_group_;            // [volume groups] that of the layer outside of it, or no_group
  std::int64_t first_vertex_ = 0;                     // of those added
};

}  // namespace

void extrude(GlobalMesh& mesh, const Extrusion& extrusion) { Extruder(mesh, extrusion).build(); }

}  // namespace dgtd::mesh
