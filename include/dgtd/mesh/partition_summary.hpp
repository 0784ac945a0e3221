#pragma once
// Summary of a partition, in the numbers on which the cost of a step depends.
#include <cstdint>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

struct PartSummary {
  std::int64_t elements = 0;
  std::int64_t halo_elements = 0;  // with a face shared with another part
  std::int64_t halo_faces = 0;     // shared with another part
  int neighbours = 0;              // other parts with which faces are shared
};

/// partition() of the mesh into that many parts: [parts]. Throws as partition() and for faces that do not fit together.
std::vector<PartSummary> summarise_partition(const GlobalMesh& mesh, int parts);

}  // namespace dgtd::mesh
