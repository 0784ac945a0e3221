#pragma once
// Elements of a rank in clusters, one per multiprocessor, whose fields stay in its shared memory from step to step
// (resident_kernel.hpp). In a cluster, elements with faces to other clusters come first, so that their traces are on
// the way while the others are updated; those with boundary faces are next to each other.
#include <cstdint>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "resident_launch.hpp"

namespace dgtd::dg {

/// A neighbour's trace in shared memory: offset << 3 | is_ghost << 2 | face. Offset, in reals: of the element in the
/// cluster's fields, [block][component 3][node Np][lane 32], or of the ghost in its ghosts,
/// [ghost block][t_a, t_b][Nf][lane 32]. A ghost is read as face 3.
struct ResidentCode {
  static constexpr std::uint32_t of_element(std::uint32_t slot, int face, int nodes) {
    const std::uint32_t reals = slot / block_lanes * (3 * nodes * block_lanes) + slot % block_lanes;
    return reals << 3 | static_cast<std::uint32_t>(face);
  }
  static constexpr std::uint32_t of_ghost(std::uint32_t ghost, int face_nodes) {
    return (ghost / block_lanes * (2 * face_nodes * block_lanes) + ghost % block_lanes) << 3 | 7u;
  }
};

struct ResidentClusters {
  int clusters = 0;
  int most_blocks = 0, most_ghosts = 0, most_ghost_blocks = 0;  // of a cluster
  std::vector<std::int32_t> first_block;        // [clusters + 1]
  std::vector<std::int32_t> surface_blocks;     // [clusters] with faces to other clusters, the first ones
  std::vector<std::int32_t> first_ghost_block;  // [clusters + 1] of 32 ghosts
  std::vector<std::int32_t> ghosts;             // [clusters] that receive; the next one is always zero
  std::vector<std::uint32_t> slot;              // [block][lane] in fields of the rank; no_slot: padding
  std::vector<std::uint32_t> code;              // [block][face 4][lane] ResidentCode
  std::vector<std::int32_t> boundary_block;     // [block] place in the data of boundary faces, -1: has none
  std::vector<std::uint32_t> own;               // [ghost] ResidentCode of the trace at this side of the face
  std::vector<std::uint32_t> partner;           // [ghost] GhostPlace of the ghost at the other side
  std::int32_t boundary_blocks = 0;
  static constexpr std::uint32_t no_slot = ~0u;

  std::int64_t blocks() const { return first_block.back(); }
  std::size_t shared_bytes(int order, std::size_t real_bytes) const;
};

/// How clusters are found. METIS leaves fewer faces between them, so that a half step is up to a sixth shorter, but
/// takes 0.17 s for 58 thousand elements.
enum class ClusterBy { curve, metis };

/// At most `clusters`, of at least about a block each. d: without Bloch faces and joints. Collective; comm: of d's
/// mesh. Throws Error.
template <class Real>
ResidentClusters make_resident_clusters(const Discretisation<Real>& d, int clusters, ClusterBy by,
                                        const parallel::Communicator& comm);

/// One line of the log.
void log_clusters(const ResidentClusters& c, std::size_t bytes_of_cluster);

/// Values of [block of the rank][entries][lane 32] in the order of the clusters; of padding: `otherwise`.
template <class Real>
std::vector<Real> in_clusters(const ResidentClusters& c, const std::vector<Real>& values, int entries, Real otherwise);

/// Data of the boundary faces of d's half step in the order of the clusters, [boundary block][entries][lane 32].
template <class Real>
std::vector<Real> boundary_in_clusters(const ResidentClusters& c, const Discretisation<Real>& d,
                                       const std::vector<Real>& values, int entries, Real otherwise);

}  // namespace dgtd::dg
