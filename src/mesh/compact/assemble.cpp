#include "mesh/compact/assemble.hpp"

#include <tuple>

namespace dgtd::mesh {

void add_halo(std::vector<HaloCandidate>&& candidates, Subdomain& subdomain) {
  std::sort(candidates.begin(), candidates.end(), [](const HaloCandidate& a, const HaloCandidate& b) {
    return std::tie(a.rank, a.numbers) < std::tie(b.rank, b.numbers);
  });
  subdomain.halo_faces.reserve(candidates.size());
  for (const HaloCandidate& candidate : candidates) {
    const auto index = static_cast<std::uint32_t>(subdomain.halo_faces.size());
    if (subdomain.halo_neighbours.empty() || subdomain.halo_neighbours.back().rank != candidate.rank)
      subdomain.halo_neighbours.push_back({candidate.rank, index, 0});
    ++subdomain.halo_neighbours.back().count;
    subdomain.halo_faces.push_back({candidate.element, candidate.face});
    subdomain.element_faces[candidate.element][candidate.face].index = index;
  }
}

}  // namespace dgtd::mesh
