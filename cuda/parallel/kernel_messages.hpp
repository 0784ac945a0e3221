#pragma once
// Halo messages that kernels send and wait for themselves: streams take no part, so that steps with messages can be
// replayed as one piece of work. Between devices of one host they are stored in the receiver's memory; between hosts a
// thread of the host passes them on (host_proxy.hpp).
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
#include "end_of_waiting.hpp"
#include "host_proxy.hpp"
#include "peer_memory.hpp"

namespace dgtd::parallel {

/// Arguments of a kernel for an exchange.
struct KernelExchange {
  uint4* const* to = nullptr;           // [half 2][faces] first packet of the message of a face, at its receiver
  uint4* received = nullptr;            // [half 2][faces][packets]
  const std::uint32_t* done = nullptr;  // exchanges before the present work, which may be replayed
  std::uint32_t since = 0;              // and since it began, this one included: the number is their sum
  std::uint32_t faces = 0;
  const unsigned* ended = nullptr;  // in memory of the host: not 0 where nobody will wait any more
  // With a proxy on the host (host_proxy.hpp), else null:
  unsigned* stored = nullptr;  // thread blocks that have stored their packets; 0 between exchanges
  unsigned* known = nullptr;   // number of the last exchange of which the device knows that it has arrived
  unsigned* sent = nullptr;    // in memory of the host, as the next ones: number of the last exchange that is stored
  const unsigned* arrived = nullptr;  // number of the last exchange that is in from_host
  const uint4* from_host = nullptr;   // [half 2][faces][packets]
  std::uint32_t packets = 0;          // of all faces
};

/// The halos of a rank whose kernels send and wait.
class KernelMessages {
 public:
  /// Whether the kernels of a rank cannot hold up those of others: each has a device of its own, or a test on one
  /// device, by NVIDIA's MPS, sets DGTD_KERNELS_SIDE_BY_SIDE; what MPS does not ensure waits for ever. Collective.
  static bool can_be_used(const Communicator& comm);

  /// stream: of the kernels. by_proxy: by a thread of the host, else through mapped memory of the devices. Collective.
  KernelMessages(const Communicator& comm, cudaStream_t stream, bool by_proxy = false);
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
    std::unique_ptr<SharedArea> area;  // [half 2][faces][packets]; null: by proxy
    HostProxy::Halo* buffers = nullptr;
    Array<uint4> relayed;              // [half 2][faces][packets], by proxy
    uint4* received = nullptr;         // of both
    Array<uint4*> to;                  // KernelExchange
    std::uint32_t faces = 0;
    std::size_t half = 0;  // packets
    std::uint32_t since = 0;
  };
  void connect(Halo& halo, const HaloPlan& plan, std::size_t packets);
  void connect_by_proxy(Halo& halo, const HaloPlan& plan, std::size_t packets);

  const Communicator& comm_;
  cudaStream_t stream_;
  CudaMemory memory_;
  std::unique_ptr<HostProxy> proxy_;  // null: messages are stored in the receiver's memory
  MappedAreas others_[most_halos];
  std::vector<Halo> halos_;
  Array<std::uint32_t> done_;  // [most_halos] KernelExchange
  Array<unsigned> words_;      // [most_halos][stored, known] KernelExchange
  unsigned* words_at_;
  EndOfWaiting ended_;  // KernelExchange
};

}  // namespace dgtd::parallel
