#pragma once
// Traces that a kernel sends to other ranks and for which it waits (parallel::KernelMessages). The first thread blocks
// of a half step send; a warp whose elements lie next to other ranks waits for its own traces alone, and puts them in
// the ghost slots, which no other thread reads.
#include "../parallel/kernel_messages.hpp"
#include "../parallel/message_packet.hpp"
#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/split_field.hpp"

namespace dgtd::dg {

/// The words of a trace (t_a, t_b)[Nf] in packets of three.
inline constexpr int words_of_packet = 3;
template <class Real>
constexpr int words_of_trace(int face_nodes) {
  return 2 * face_nodes * int(sizeof(Real) / sizeof(std::uint32_t));
}
template <class Real>
constexpr int packets_of_trace(int face_nodes) {
  return (words_of_trace<Real>(face_nodes) + words_of_packet - 1) / words_of_packet;
}

/// The exchange of a half step's source.
struct HaloTraces {
  parallel::KernelExchange exchange;
  const std::uint32_t* code = nullptr;                                 // [faces] NeighbourCode of owned elements
  const int *entry_a = nullptr, *entry_b = nullptr, *minus = nullptr;  // FaceTraceEntries
  std::uint32_t first_slot = 0, ghosts = 0;                            // ghost slots that may receive
  const std::uint32_t* face_of_ghost =
      nullptr;  // [ghosts] whose trace it receives, or none; null: ghost i that of face i
  static constexpr std::uint32_t none = ~0u;
};

#ifdef __CUDACC__

/// A value of an element's trace, as read_trace.
template <int p, class Real>
__device__ __forceinline__ Real trace_value(const HaloTraces& halo, const SplitField<Real>& source, std::uint32_t code,
                                            int i) {
  constexpr int face_nodes = Bernstein<p>::face_nodes;
  const std::uint32_t slot = NeighbourCode::slot(code);
  const int face = NeighbourCode::face(code), node = i / 2;
  const Real* const first =
      source.of(slot) + std::size_t(slot / block_lanes) * BlockLayout<p>::block_reals + slot % block_lanes;
  const int* const entry = i % 2 == 0 ? halo.entry_a : halo.entry_b;
  Real value = first[entry[face * face_nodes + node] * block_lanes];
  if (face == 0) value -= first[halo.minus[node] * block_lanes];
  return value;
}

/// Packet i % packets of the trace of halo face i / packets.
template <int p, class Real>
__device__ __forceinline__ void send_packet(const HaloTraces& halo, const SplitField<Real>& source, std::uint32_t i) {
  constexpr int face_nodes = Bernstein<p>::face_nodes, words = words_of_trace<Real>(face_nodes);
  constexpr int packets = packets_of_trace<Real>(face_nodes), words_of_real = sizeof(Real) / sizeof(std::uint32_t);
  const parallel::KernelExchange& e = halo.exchange;
  const std::uint32_t face = i / packets, packet = i % packets;
  if (face >= e.faces) return;
  const std::uint32_t number = *e.done + e.since, code = halo.code[face];
  std::uint32_t word[words_of_packet] = {};
  for (int k = 0; k < words_of_packet; ++k) {
    const int w = int(packet) * words_of_packet + k;
    if (w >= words) continue;
    const Real value = trace_value<p, Real>(halo, source, code, w / words_of_real);
    if constexpr (words_of_real == 1) word[k] = __float_as_uint(value);
    else word[k] = static_cast<std::uint32_t>(w % 2 == 0 ? __double2loint(value) : __double2hiint(value));
  }
  uint4* const at = e.to[std::size_t(number % 2) * e.faces + face] + packet;
  const uint4 full{word[0], word[1], word[2], number};
  if (e.sent == nullptr) parallel::store_packet(at, full);
  else *at = full;  // in memory of the host, for which end_sending() vouches: neighbouring packets travel together
}

/// After the packets of a thread block, all of whose threads call it: the last of `sending` ones tells the proxy.
__device__ __forceinline__ void end_sending(const parallel::KernelExchange& e, unsigned sending) {
  if (e.sent == nullptr) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  if (atomicAdd(e.stored, 1u) + 1 != sending) return;
  *e.stored = 0;
  parallel::tell_host(e.sent, *e.done + e.since);
}

/// Waits until the proxy has received the exchange, and moves its packets to `received`, where those who wait for them
/// find them: warps that read memory of the host, each on its own, take ten times as long as a few thread blocks.
/// thread: of `threads` of all thread blocks that do so. The exchange after this one may have arrived, too, in the
/// other half.
__device__ __forceinline__ void relay_packets(const parallel::KernelExchange& e, unsigned thread, unsigned threads) {
  constexpr unsigned looks = 1u << 10;  // between two of the word that ends all waiting
  const std::uint32_t number = *e.done + e.since;
  volatile unsigned* const known = e.known;
  bool nobody_sends = false;
  if (threadIdx.x == 0) {
    // One thread looks, and seldom: loads from the host hold up the stores of those that send
    // (docs/notebook/2026-11-29-fields-in-shared-memory-on-several-gpus.md).
    const auto is_there = [&] {
      return int((thread == 0 ? parallel::load_word_of_host(e.arrived) : *known) - number) >= 0;
    };
    for (unsigned i = 1; !is_there() && !nobody_sends; ++i) {
      nobody_sends = i % looks == 0 && parallel::load_word_of_host(e.ended) != 0;
      __nanosleep(thread == 0 ? 1500 : 200);
    }
    if (thread == 0) *known = number;
  }
  nobody_sends = __syncthreads_or(nobody_sends) != 0;
  const std::size_t first = std::size_t(number % 2) * e.packets;
  for (unsigned i = thread; i < e.packets && !nobody_sends; i += threads) {
    // Without a fence a load may have been made before that of the word: then the packet has another number.
    uint4 packet;
    do packet = __ldcv(e.from_host + first + i);
    while (packet.w != number);
    parallel::store_packet(e.received + first + i, packet);
  }
}

/// Waits until all packets of the messages of a warp's lanes have the number, and has read them then. Lanes stay
/// together: those that went on alone would leave the warp's half step in parts, each as long as the whole. mine:
/// whether the lane has a message. False where nobody sends any more.
template <int packets>
__device__ __forceinline__ bool wait_for_packets(bool mine, const uint4* at, std::uint32_t number,
                                                 const unsigned* ended, uint4 (&message)[packets]) {
  constexpr unsigned all_lanes = ~0u, looks = 1u << 12;  // between two of the host's word, which takes a microsecond
  for (unsigned i = 1;; ++i) {
    bool complete = true;
    if (mine)
      static_for<packets>([&](auto k) {
        message[k] = parallel::load_packet(at + k);
        complete = complete && message[k].w == number;
      });
    if (__all_sync(all_lanes, complete)) return true;
    if (i % looks == 0 && __any_sync(all_lanes, parallel::load_word_of_host(ended) != 0)) return false;
  }
}

/// Puts the traces behind the halo faces of a warp's elements in their ghost slots. code: of the lane's faces, [face 4]
/// [lane 32] at the lane.
template <int p, class Real>
__device__ __forceinline__ void receive_traces(const HaloTraces& halo, const std::uint32_t* code, Real* source) {
  constexpr int face_nodes = Bernstein<p>::face_nodes, words_of_real = sizeof(Real) / sizeof(std::uint32_t);
  constexpr int packets = packets_of_trace<Real>(face_nodes), group = 8;  // packets at once, to bound the registers
  const parallel::KernelExchange& e = halo.exchange;
  const std::uint32_t number = *e.done + e.since;
#pragma unroll 1
  for (int face = 0; face < 4; ++face) {
    const std::uint32_t slot = NeighbourCode::slot(code[face * block_lanes]), ghost = slot - halo.first_slot;
    std::uint32_t sent = ghost < halo.ghosts ? ghost : HaloTraces::none;
    if (halo.face_of_ghost != nullptr && sent != HaloTraces::none) sent = halo.face_of_ghost[ghost];
    const bool mine = sent != HaloTraces::none;
    if (!__any_sync(~0u, mine)) continue;
    const uint4* const from = e.received + (std::size_t(number % 2) * e.faces + sent) * packets;
    Real* const to = source + std::size_t(slot / block_lanes) * BlockLayout<p>::block_reals + slot % block_lanes;
    static_for<(packets + group - 1) / group>([&](auto g) {
      constexpr int first = decltype(g)::v * group, count = packets - first < group ? packets - first : group;
      uint4 message[count];
      if (!wait_for_packets<count>(mine, from + first, number, e.ended, message)) return;
      if (!mine) return;
      constexpr int first_real = first * words_of_packet / words_of_real, all = 2 * face_nodes;
      constexpr int in_group = count * words_of_packet / words_of_real;
      static_for<(all - first_real < in_group ? all - first_real : in_group)>([&](auto i) {
        constexpr int word = decltype(i)::v * words_of_real, real = first_real + decltype(i)::v;
        const auto word_of = [&](int w) {
          const uint4& m = message[w / words_of_packet];
          return w % words_of_packet == 0 ? m.x : w % words_of_packet == 1 ? m.y : m.z;
        };
        Real value;
        if constexpr (words_of_real == 1) value = __uint_as_float(word_of(word));
        else value = __hiloint2double(int(word_of(word + 1)), int(word_of(word)));
        to[BlockLayout<p>::offset(real % 2, face_node_table<p>[3][real / 2])] = value;
      });
    });
    __syncwarp();
  }
}

#endif

}  // namespace dgtd::dg
