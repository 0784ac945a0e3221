#include "bend_edges.hpp"

#include <algorithm>

#include "dgtd/mesh/curved_element.hpp"
#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesher {
namespace {

// Returns how many edges became straight. Those of one element may bend others less or more, so until none is bad.
std::int64_t straighten_bad_elements(const mesh::GlobalMesh& mesh, std::map<EdgeEnds, Vec3>& bends) {
  constexpr double least = 0.2;  // of the largest J
  std::int64_t straightened = 0;
  for (bool any = true; any;) {
    any = false;
    for (auto corners : mesh.tetrahedra) {
      std::sort(corners.begin(), corners.end());
      mesh::CurvedElement element;
      std::vector<std::map<EdgeEnds, Vec3>::iterator> of_element;
      for (std::size_t i = 0; i < 6; ++i) {
        const auto [a, b] = mesh::edge_corners[i];
        const auto found = bends.find({corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)]});
        if (found == bends.end()) continue;
        element.bend[i] = found->second;
        of_element.push_back(found);
      }
      if (of_element.empty() ||
          mesh::determinant_ratio(mesh::Tetrahedron::at(mesh.vertices, corners), element) > least)
        continue;
      for (const auto& edge : of_element) bends.erase(edge);
      straightened += static_cast<std::int64_t>(of_element.size());
      any = true;
    }
  }
  return straightened;
}

}  // namespace

std::vector<FaceCorners> interfaces_of(const mesh::GlobalMesh& mesh) {
  struct Side {
    FaceCorners corners;
    std::uint16_t group;
  };
  std::vector<Side> sides;
  sides.reserve(4 * mesh.tetrahedra.size());
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& t = mesh.tetrahedra[e];
      FaceCorners c{t[(f + 1) % 4], t[(f + 2) % 4], t[(f + 3) % 4]};
      std::sort(c.begin(), c.end());
      sides.push_back({c, mesh.tetrahedron_group[e]});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.corners < b.corners; });
  std::vector<FaceCorners> faces;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool twice = i + 1 < sides.size() && sides[i + 1].corners == sides[i].corners;
    if (!twice || sides[i + 1].group != sides[i].group) faces.push_back(sides[i].corners);
    i += twice;
  }
  return faces;
}

CurvedEdges bend_edges(mesh::GlobalMesh& mesh, std::map<EdgeEnds, Vec3> bends) {
  constexpr double least = 1e-6;  // of an edge: rounding
  CurvedEdges result;
  result.left = straighten_bad_elements(mesh, bends);
  for (const auto& [edge, bend] : bends) {
    const Vec3 along = mesh.vertices[static_cast<std::size_t>(edge[1])] - mesh.vertices[static_cast<std::size_t>(edge[0])];
    if (norm(bend) > least * norm(along)) mesh.curved_edges.push_back({edge, bend});
  }
  result.curved = static_cast<std::int64_t>(mesh.curved_edges.size());
  return result;
}

}  // namespace dgtd::mesher
