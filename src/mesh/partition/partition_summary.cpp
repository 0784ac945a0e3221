#include "dgtd/mesh/partition_summary.hpp"

#include <set>

#include "dgtd/mesh/load.hpp"
#include "mesh/compact/face_adjacency.hpp"

namespace dgtd::mesh {

std::vector<PartSummary> summarise_partition(const GlobalMesh& mesh, int parts) {
  const std::vector<int> part = partition(mesh, parts);
  const FaceAdjacency adjacency = pair_faces(mesh);
  std::vector<PartSummary> summaries(static_cast<std::size_t>(parts));
  std::vector<std::set<int>> neighbours(summaries.size());
  for (std::size_t e = 0; e < part.size(); ++e) {
    const auto mine = static_cast<std::size_t>(part[e]);
    int halo_faces = 0;
    for (std::size_t code = 4 * e; code < 4 * e + 4; ++code) {
      if (adjacency.boundary(code)) continue;
      const int other = part[adjacency.behind[code] / 4];
      if (other == part[e]) continue;
      ++halo_faces;
      neighbours[mine].insert(other);
    }
    summaries[mine].elements += 1;
    summaries[mine].halo_elements += halo_faces > 0;
    summaries[mine].halo_faces += halo_faces;
  }
  for (std::size_t p = 0; p < summaries.size(); ++p) summaries[p].neighbours = static_cast<int>(neighbours[p].size());
  return summaries;
}

}  // namespace dgtd::mesh
