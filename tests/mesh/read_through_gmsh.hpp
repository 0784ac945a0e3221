#pragma once
// A mesh file as the Gmsh library has it: what the reader of MSH files is compared with.
#include <gmsh.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"
#include "mesh/generate/gmsh_session.hpp"

namespace dgtd::mesh::testing {

class ThroughGmsh {
 public:
  explicit ThroughGmsh(const std::filesystem::path& file) {
    const GmshSession session;
    gmsh::merge(file.string());
    read_nodes();
    add(3, {4, 11, 29}, mesh_.tetrahedra, mesh_.tetrahedron_group, mesh_.volume_names);
    add(2, {2, 9, 21}, mesh_.triangles, mesh_.triangle_group, mesh_.surface_names);
    number_vertices();
    mesh_.source = file.filename().string();
  }
  const GlobalMesh& mesh() const { return mesh_; }

 private:
  void read_nodes() {
    std::vector<std::size_t> tags;
    std::vector<double> coordinates, parameters;
    gmsh::model::mesh::getNodes(tags, coordinates, parameters);
    if (!tags.empty() && *std::max_element(tags.begin(), tags.end()) > 4 * tags.size() + 1000) {
      gmsh::model::mesh::renumberNodes();
      gmsh::model::mesh::getNodes(tags, coordinates, parameters);
    }
    for (std::size_t n = 0; n < tags.size(); ++n)
      at_[static_cast<std::int64_t>(tags[n])] = {coordinates[3 * n], coordinates[3 * n + 1], coordinates[3 * n + 2]};
  }

  template <std::size_t N>
  void add(int dimension, const std::vector<int>& types, std::vector<std::array<std::int64_t, N>>& elements,
           std::vector<std::uint16_t>& group, std::vector<std::string>& names) {
    gmsh::vectorpair entities;
    gmsh::model::getEntities(entities, dimension);
    for (const auto& [d, entity] : entities) {
      std::vector<int> physical;
      gmsh::model::getPhysicalGroupsForEntity(dimension, entity, physical);
      for (const int type : types) {
        std::vector<std::uint16_t> indices;
        std::vector<std::size_t> tags, nodes;
        gmsh::model::mesh::getElementsByType(type, tags, nodes, entity);
        if (tags.empty()) continue;
        for (const int tag : physical) indices.push_back(index(dimension, std::abs(tag), names));
        if (physical.empty() && dimension == 3) indices.push_back(no_group);
        std::sort(indices.begin(), indices.end());
        for (const std::uint16_t i : indices) {
          const std::size_t all = nodes.size() / tags.size();
          for (std::size_t e = 0; e < tags.size(); ++e) {
            std::array<std::int64_t, N> corners;
            std::copy_n(nodes.begin() + static_cast<std::ptrdiff_t>(all * e), N, corners.begin());
            elements.push_back(corners);
            group.push_back(i);
            if (N == 4) add_curved(&nodes[all * e], all == 4 ? 0 : all == 10 ? 1 : 2);
          }
        }
      }
    }
  }

  static std::uint16_t index(int dimension, int tag, std::vector<std::string>& names) {
    std::string name;
    gmsh::model::getPhysicalName(dimension, tag, name);
    if (name.empty()) name = std::to_string(tag);
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) names.push_back(name);
    return static_cast<std::uint16_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  /// nodes: of a tetrahedron, with so many on each edge.
  void add_curved(const std::size_t* nodes, std::size_t per_edge) {
    constexpr std::size_t ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
    const auto at = [&](std::size_t n) { return at_.at(static_cast<std::int64_t>(nodes[n])); };
    for (std::size_t i = 0; i < 6 && per_edge > 0; ++i) {
      const Vec3 a = at(ends[i][0]), b = at(ends[i][1]), first = at(4 + per_edge * i),
                 last = at(3 + per_edge * (i + 1));
      const Vec3 bend = (per_edge == 1 ? first : (1.0 / 16) * (9 * (first + last) - (a + b))) - 0.5 * (a + b);
      const auto [low, high] =
          std::minmax({static_cast<std::int64_t>(nodes[ends[i][0]]), static_cast<std::int64_t>(nodes[ends[i][1]])});
      if (norm(bend) > 1e-6 * norm(b - a)) bends_.try_emplace({low, high}, bend);
    }
  }

  /// Nodes that elements use, in the order of their tags.
  void number_vertices() {
    std::map<std::int64_t, std::int64_t> vertex;
    for (const auto& corners : mesh_.tetrahedra)
      for (const auto tag : corners) vertex[tag] = 0;
    for (const auto& corners : mesh_.triangles)
      for (const auto tag : corners) vertex[tag] = 0;
    for (auto& [tag, number] : vertex) {
      number = static_cast<std::int64_t>(mesh_.vertices.size());
      mesh_.vertices.push_back(at_.at(tag));
    }
    for (auto& corners : mesh_.tetrahedra)
      for (auto& tag : corners) tag = vertex.at(tag);
    for (auto& corners : mesh_.triangles)
      for (auto& tag : corners) tag = vertex.at(tag);
    for (const auto& [ends, bend] : bends_)
      mesh_.curved_edges.push_back({{vertex.at(ends[0]), vertex.at(ends[1])}, bend});
  }

  GlobalMesh mesh_;
  std::map<std::int64_t, Vec3> at_;                    // by tags of nodes
  std::map<std::array<std::int64_t, 2>, Vec3> bends_;  // by tags of nodes
};

}  // namespace dgtd::mesh::testing
