#include "distribute.hpp"

#include <fmt/format.h>

#include "assemble.hpp"
#include "dgtd/parallel/on_root.hpp"
#include "hilbert.hpp"
#include "transfer.hpp"

namespace dgtd::mesh {
namespace {

/// A mesh of arrays with its partition, in the terms of assemble().
class PartitionedMesh {
 public:
  PartitionedMesh(const GlobalMesh& mesh, const FaceAdjacency& adjacency, const std::vector<int>& part)
      : mesh_(mesh), adjacency_(adjacency), part_(part), cube_(cube_around(mesh.vertices)) {}

  Subdomain subdomain(int rank) const { return assemble(rank, elements_of(rank), *this); }

  std::array<std::int64_t, 4> vertices(std::int64_t element) const { return ascending(mesh_.tetrahedra[element]); }
  std::uint16_t group(std::int64_t element) const { return mesh_.tetrahedron_group[element]; }
  Behind behind(std::int64_t element, int f) const {
    const std::size_t code = 4 * static_cast<std::size_t>(element) + f;
    if (adjacency_.boundary(code)) return {true, adjacency_.surface(code), 0, 0, 0};
    const std::uint32_t neighbour = adjacency_.behind[code];
    return {false, 0, static_cast<std::uint8_t>(neighbour % 4), part_[neighbour / 4], neighbour / 4};
  }
  Vec3 position(std::int64_t vertex) const { return mesh_.vertices[vertex]; }
  std::size_t element_slots() const { return mesh_.tetrahedra.size(); }
  std::size_t element_slot(std::int64_t element) const { return element; }
  std::size_t vertex_slots() const { return mesh_.vertices.size(); }
  std::size_t vertex_slot(std::int64_t vertex) const { return vertex; }

 private:
  static HilbertCube cube_around(const std::vector<Vec3>& points) {
    Vec3 low = points.front(), high = points.front();
    for (const Vec3& p : points)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], p[axis]);
        high[axis] = std::max(high[axis], p[axis]);
      }
    return {low, high};
  }

  std::vector<std::int64_t> elements_of(int rank) const {
    std::vector<std::int64_t> elements;
    for (std::size_t e = 0; e < part_.size(); ++e)
      if (part_[e] == rank) elements.push_back(static_cast<std::int64_t>(e));
    // Vertices are summed in ascending order, so that the sum does not depend on the file's order of corners.
    return along_hilbert_curve(std::move(elements), cube_, [this](std::int64_t e) {
      Vec3 sum;
      for (const std::int64_t v : vertices(e)) sum += mesh_.vertices[v];
      return 0.25 * sum;
    });
  }

  const GlobalMesh& mesh_;
  const FaceAdjacency& adjacency_;
  const std::vector<int>& part_;
  HilbertCube cube_;
};

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

}  // namespace

Subdomain distribute(GlobalMesh&& whole, FaceAdjacency&& pairs, const std::vector<int>& part,
                     const parallel::Communicator& comm) {
  // Taken over, so that root's copy of the whole mesh ends with this function.
  const GlobalMesh mesh = std::move(whole);
  const FaceAdjacency adjacency = std::move(pairs);
  parallel::on_root(comm, [&] { check_partition(mesh, part, comm.size()); });

  Subdomain mine;
  if (comm.is_root()) {
    // One rank at a time: root never holds more than the whole mesh and one part.
    const PartitionedMesh partitioned(mesh, adjacency, part);
    for (int rank = 1; rank < comm.size(); ++rank) send_subdomain(partitioned.subdomain(rank), rank, comm);
    mine = partitioned.subdomain(0);
  } else {
    mine = receive_subdomain(0, comm);
  }
  mine.volume_names = broadcast_names(mesh.volume_names, comm);
  mine.surface_names = broadcast_names(mesh.surface_names, comm);
  mine.global_elements = comm.broadcast_value(static_cast<std::int64_t>(mesh.tetrahedra.size()));
  mine.global_vertices = comm.broadcast_value(static_cast<std::int64_t>(mesh.vertices.size()));
  return mine;
}

Subdomain distribute(GlobalMesh&& mesh, const std::vector<int>& part, const parallel::Communicator& comm) {
  FaceAdjacency adjacency;
  parallel::on_root(comm, [&] { adjacency = pair_faces(mesh); });
  return distribute(std::move(mesh), std::move(adjacency), part, comm);
}

}  // namespace dgtd::mesh
