#include "mesh/partition/distribute.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/parallel/root_or_throw.hpp"
#include "mesh/partition/compact_part.hpp"
#include "mesh/partition/transfer.hpp"

namespace dgtd::mesh {
namespace {

void check_partition(const GlobalMesh& mesh, const std::vector<int>& part, int ranks) {
  if (part.size() != mesh.tetrahedra.size())
    throw Error(ExitCode::other, fmt::format("{}: partition of {} elements for a mesh of {}", mesh.source, part.size(),
                                             mesh.tetrahedra.size()));
  std::vector<std::size_t> elements(ranks);
  for (const int rank : part) {
    if (rank < 0 || rank >= ranks)
      throw Error(ExitCode::other, fmt::format("{}: partition names rank {}, there are {}", mesh.source, rank, ranks));
    ++elements[rank];
  }
  for (int rank = 0; rank < ranks; ++rank)
    if (elements[rank] == 0)
      throw Error(fmt::format("{}: rank {} of {} has no elements ({} in all); use fewer ranks", mesh.source, rank,
                              ranks, mesh.tetrahedra.size()));
}

std::vector<std::string> broadcast_names(const std::vector<std::string>& names, const parallel::Communicator& comm) {
  std::vector<std::string> received(comm.broadcast_value(static_cast<std::uint64_t>(names.size())));
  for (std::size_t i = 0; i < received.size(); ++i) received[i] = comm.broadcast(comm.is_root() ? names[i] : "");
  return received;
}

std::vector<InnerSurface> broadcast_surfaces(const std::vector<InnerSurface>& surfaces,
                                             const parallel::Communicator& comm) {
  std::vector<InnerSurface> received(comm.broadcast_value(static_cast<std::uint64_t>(surfaces.size())));
  for (std::size_t i = 0; i < received.size(); ++i) {
    received[i].name = comm.broadcast(comm.is_root() ? surfaces[i].name : "");
    std::string bytes;
    if (comm.is_root())
      bytes.assign(reinterpret_cast<const char*>(surfaces[i].faces.data()),
                   surfaces[i].faces.size() * sizeof(surfaces[i].faces[0]));
    bytes = comm.broadcast(std::move(bytes));
    received[i].faces.resize(bytes.size() / sizeof(received[i].faces[0]));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(received[i].faces.data()));
  }
  return received;
}

}  // namespace

void share_totals(const CompactMesh& mesh, Subdomain& mine, const parallel::Communicator& comm) {
  mine.volume_names = broadcast_names(mesh.volume_names, comm);
  mine.surface_names = broadcast_names(mesh.surface_names, comm);
  mine.inner_surfaces = broadcast_surfaces(mesh.inner_surfaces, comm);
  mine.global_elements = comm.broadcast_value(static_cast<std::int64_t>(mesh.elements()));
  mine.global_vertices = comm.broadcast_value(static_cast<std::int64_t>(mesh.vertices.size()));
}

Subdomain distribute(const CompactMesh& mesh, const Partition& partition, const parallel::Communicator& comm) {
  Subdomain mine;
  if (comm.is_root()) {
    // One rank at a time: root never holds more than the whole mesh and one part. All ranges at once: a pass over all
    // elements per rank would be elements times ranks.
    std::vector<std::vector<Partition::Range>> ranges = partition.ranges();
    const auto part_of = [&](int rank) {
      CompactPart part(mesh, partition, std::move(ranges[static_cast<std::size_t>(rank)]));
      Subdomain made = assemble(rank, part);
      part.add_curved_elements_to(made);
      return made;
    };
    for (int rank = 1; rank < comm.size(); ++rank) send_subdomain(part_of(rank), rank, comm);
    mine = part_of(0);
  } else {
    mine = receive_subdomain(0, comm);
  }
  share_totals(mesh, mine, comm);
  return mine;
}

Subdomain distribute(GlobalMesh&& whole, const std::vector<int>& part, const parallel::Communicator& comm) {
  const GlobalMesh mesh = std::move(whole);
  CompactArrays arrays;
  Partition partition;
  parallel::root_or_throw(comm, [&] {
    const FaceAdjacency adjacency = pair_faces(mesh);
    check_partition(mesh, part, comm.size());
    arrays = make_compact(mesh, adjacency);
    std::vector<PartNumber> along_curve(part.size());
    for (std::size_t p = 0; p < part.size(); ++p)
      along_curve[p] = static_cast<PartNumber>(part[arrays.element_id[p]]);
    partition = Partition(std::move(along_curve), comm.size());
  });
  return distribute(arrays.view(), partition, comm);
}

}  // namespace dgtd::mesh
