#pragma once
// Halo messages that kernels send and wait for themselves, between devices of one host: neither streams nor the host
// take part, so that steps with messages can be replayed as one piece of work.
//
// A message consists of packets of 16 bytes: 12 of values and 4 of the number of the exchange, which are stored and
// loaded as one (message_packet.hpp). A receiver looks at a packet until it has the number of the exchange that it
// expects: nothing else tells that values have arrived, and no order of stores matters.
//
// Exchange n of a halo, n = 1, 2, ..., uses half n % 2 of the receivers' areas. A rank sends n + 2 after its kernel of
// exchange n + 1 has ended, which has waited for all its neighbours' messages n + 1; a neighbour sends those after its
// kernel of exchange n has ended, which has read the message n. So no message is overwritten before it is read, if each
// rank sends to those from which it receives, a kernel sends before it waits, and kernels with exchanges are in one
// stream.
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda_memory.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "peer_memory.hpp"

namespace dgtd::parallel {

/// Arguments of a kernel for an exchange.
struct KernelExchange {
  uint4* const* to = nullptr;           // [half 2][faces] first packet of the message of a face, at its receiver
  const uint4* received = nullptr;      // [half 2][faces][packets]
  const std::uint32_t* done = nullptr;  // exchanges before the present work, which may be replayed
  std::uint32_t since = 0;              // and since it began, this one included: the number is their sum
  std::uint32_t faces = 0;
  const unsigned* ended = nullptr;  // in memory of the host: not 0 where nobody will wait any more
};

/// The halos of a rank whose kernels send and wait.
class KernelMessages {
 public:
  /// Whether every rank has a device of its own, which the kernels of another rank cannot hold up. Collective.
  static bool can_be_used(const Communicator& comm);

  /// stream: of the kernels.
  KernelMessages(const Communicator& comm, cudaStream_t stream);
  /// If an error has been thrown, kernels that wait for other ranks end.
  ~KernelMessages();
  KernelMessages(const KernelMessages&) = delete;
  KernelMessages& operator=(const KernelMessages&) = delete;

  /// Adds a halo, whose sends are its receives; returns its number. Collective. Throws Error (device) on every rank.
  int add(const HaloPlan& plan, int packets_of_face);
  /// The next exchange of a halo, for the next kernel in the stream.
  KernelExchange next(int halo);
  /// The exchange of the last next(), for kernels that only receive.
  KernelExchange present(int halo) const;
  /// Ends work that may be replayed: exchanges since the last call are counted on the device.
  void end_work();

  static constexpr int most_halos = 16;

 private:
  struct Halo {
    std::unique_ptr<SharedArea> area;  // [half 2][faces][packets]
    Array<uint4*> to;                  // KernelExchange
    std::uint32_t faces = 0;
    std::size_t half = 0;  // packets
    std::uint32_t since = 0;
  };
  const Communicator& comm_;
  cudaStream_t stream_;
  CudaMemory memory_;
  MappedAreas others_[most_halos];
  std::vector<Halo> halos_;
  Array<std::uint32_t> done_;  // [most_halos] KernelExchange
  unsigned* ended_ = nullptr;  // KernelExchange
};

}  // namespace dgtd::parallel
