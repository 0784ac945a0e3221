#pragma once
// A compact mesh that root has in memory, to all ranks.
#include "dgtd/mesh/load.hpp"
#include "mesh/partition/partition.hpp"

namespace dgtd::mesh {

/// mesh: of root, empty elsewhere; partition: on every rank. Root assembles one rank's part after the other, each in
/// proportion to the part. Collective.
Subdomain distribute(const CompactMesh& mesh, const Partition& partition, const parallel::Communicator& comm);

/// Names and numbers of the whole mesh, which root has, on every rank. Collective.
void share_totals(const CompactMesh& mesh, Subdomain& mine, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
