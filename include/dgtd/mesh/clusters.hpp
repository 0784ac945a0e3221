#pragma once
// Clusters of elements of equal size with few faces between them, for a device whose multiprocessors keep one each.
#include <cstdint>
#include <vector>

namespace dgtd::mesh {

/// [elements] the cluster of each, 0 to clusters - 1. Element e is next to neighbours[first[e]] to
/// neighbours[first[e + 1] - 1]. A cluster has at most about `slack` (0 to 1) more elements than the mean. Deterministic;
/// METIS. Throws Error.
std::vector<std::int32_t> make_clusters(const std::vector<std::int32_t>& first,
                                        const std::vector<std::int32_t>& neighbours, int clusters, double slack);

}  // namespace dgtd::mesh
