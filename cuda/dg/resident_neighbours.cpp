#include "resident_neighbours.hpp"

#include "dgtd/base/error.hpp"

namespace dgtd::dg {

ResidentNeighbours::ResidentNeighbours(const mesh::Subdomain& mesh, std::size_t packets,
                                       const parallel::Communicator& comm, cudaStream_t stream,
                                       parallel::Storage& storage)
    : packets_(static_cast<std::size_t>(comm.max(static_cast<std::int64_t>(packets)))),
      stream_(stream),
      area_(2 * packets_ * sizeof(uint4), comm, stream) {
  const std::vector<cudaIpcMemHandle_t> handles = area_.handles(comm);
  std::vector<uint4*> messages{message(0), message(1)};
  for (const auto& neighbour : mesh.halo_neighbours) {
    auto* const area =
        reinterpret_cast<uint4*>(others_.map(neighbour.rank, handles[static_cast<std::size_t>(neighbour.rank)]));
    for (const std::size_t half : {0, 1}) messages.push_back(area + half * packets_);
  }
  if (comm.min(std::int64_t{others_.why_not().empty()}) == 0)
    throw Error(ExitCode::device, "solver.halo_transport = peer: " +
                                      (others_.why_not().empty() ? "it failed on another rank" : others_.why_not()) +
                                      "; allowed are auto, mpi-host, nccl");
  messages_ = storage.copy(messages);
}

// The neighbours' areas are mapped until the last work on them is done.
ResidentNeighbours::~ResidentNeighbours() {
  ended_.end_if_failed();
  (void)cudaStreamSynchronize(stream_);
}

}  // namespace dgtd::dg
