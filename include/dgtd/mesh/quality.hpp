#pragma once
// Size and shape of a distributed mesh, for the dry run and the documentation.
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

struct Quality {
  struct Volume {
    std::string name;
    std::int64_t elements = 0;
    double volume = 0;  // m3
  };
  struct Surface {
    std::string name;
    std::int64_t faces = 0;
    double area = 0;  // m2
  };
  std::int64_t elements = 0, vertices = 0, edges = 0;
  double edge_min = 0, edge_mean = 0, edge_max = 0;  // m; each edge counts once
  double inradius_min = 0;                           // m
  double shape_min = 0;                              // 2 sqrt(6) inradius / longest edge: 1 for the regular tetrahedron
  std::vector<Volume> volumes;                       // [volume groups]
  std::vector<Surface> surfaces;                     // [surface groups]
};

/// Collective; the same on every rank.
Quality measure_quality(const Subdomain& subdomain, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
