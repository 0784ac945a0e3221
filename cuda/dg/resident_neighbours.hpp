#pragma once
// Places of the messages between clusters, of this rank and, mapped, of the ranks that take part in its halos.
#include <memory>
#include <vector>

#include "../parallel/end_of_waiting.hpp"
#include "../parallel/peer_memory.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dg {

class ResidentNeighbours {
 public:
  /// packets: of all ghosts of this rank, for one field. stream: of the kernels. Collective. Throws Error.
  ResidentNeighbours(const mesh::Subdomain& mesh, std::size_t packets, const parallel::Communicator& comm,
                     cudaStream_t stream, parallel::Storage& storage);
  /// If an error has been thrown, kernels that wait for other ranks end.
  ~ResidentNeighbours();
  ResidentNeighbours(const ResidentNeighbours&) = delete;
  ResidentNeighbours& operator=(const ResidentNeighbours&) = delete;

  /// ResidentArgs: of E (0) or H (1).
  uint4* message(int half) const { return reinterpret_cast<uint4*>(area_.data()) + std::size_t(half) * packets_; }
  uint4* const* message_of_neighbour() const { return messages_.read(); }
  const unsigned* ended() const { return ended_.word(); }

 private:
  std::size_t packets_;  // of a field, the most of all ranks: areas are alike
  cudaStream_t stream_;
  parallel::EndOfWaiting ended_;
  parallel::SharedArea area_;  // [E, H][packets]
  parallel::MappedAreas others_;
  parallel::Array<uint4*> messages_;  // [neighbour][2] GhostPlace
};

}  // namespace dgtd::dg
