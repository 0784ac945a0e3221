#include "mesh/partition/transfer.hpp"

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::mesh {
namespace {

constexpr int size_tag = 80, data_tag = 81;
constexpr std::size_t piece = std::size_t{1} << 30;  // bytes per message: MPI counts have 32 bits

void require(int code) {
  if (code != MPI_SUCCESS) throw Error(ExitCode::device, "MPI failed while the mesh was being distributed");
}

struct Sender {
  int to;
  MPI_Comm comm;

  template <class T>
  void operator()(const std::vector<T>& values) const {
    const std::uint64_t size = values.size();
    require(MPI_Send(&size, 1, MPI_UINT64_T, to, size_tag, comm));
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    for (std::size_t at = 0; at < size * sizeof(T); at += piece)
      require(
          MPI_Send(bytes + at, static_cast<int>(std::min(piece, size * sizeof(T) - at)), MPI_BYTE, to, data_tag, comm));
  }
};

struct Receiver {
  int from;
  MPI_Comm comm;

  template <class T>
  void operator()(std::vector<T>& values) const {
    std::uint64_t size = 0;
    require(MPI_Recv(&size, 1, MPI_UINT64_T, from, size_tag, comm, MPI_STATUS_IGNORE));
    values.resize(size);
    auto* bytes = reinterpret_cast<char*>(values.data());
    for (std::size_t at = 0; at < size * sizeof(T); at += piece)
      require(MPI_Recv(bytes + at, static_cast<int>(std::min(piece, size * sizeof(T) - at)), MPI_BYTE, from, data_tag,
                       comm, MPI_STATUS_IGNORE));
  }
};

/// The arrays that differ from rank to rank. Names and global counts are everybody's.
template <class S, class Visitor>
void for_each_array(S& s, const Visitor& visit) {
  visit(s.vertices);
  visit(s.vertex_id);
  visit(s.element_vertices);
  visit(s.element_id);
  visit(s.element_group);
  visit(s.element_faces);
  visit(s.halo_faces);
  visit(s.halo_neighbours);
  visit(s.curved);
  visit(s.curvature);
}

}  // namespace

void send_subdomain(const Subdomain& subdomain, int to, const parallel::Communicator& comm) {
  for_each_array(subdomain, Sender{to, comm.handle()});
}

Subdomain receive_subdomain(int from, const parallel::Communicator& comm) {
  Subdomain subdomain;
  for_each_array(subdomain, Receiver{from, comm.handle()});
  return subdomain;
}

}  // namespace dgtd::mesh
