#pragma once
// Traces between clusters of elements whose fields are in the shared memory of multiprocessors: messages of packets
// that contain their own number (message_packet.hpp), so that neither flags nor barriers between thread blocks are
// needed. One place per face and field suffices: a message may be overwritten by the one two half steps later, which is
// sent after the receiver's own message of the half step between for the same face, made from the first one. Clusters
// of other ranks of a host are no different: their places are in mapped memory of their device.
#include <cstdint>

#include "../parallel/message_packet.hpp"
#include "cuda_view.hpp"
#include "resident_launch.hpp"

namespace dgtd::dg::resident {

__device__ __forceinline__ std::uint64_t nanoseconds() {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
/// On one rank a thread that waits for a message this long ends the kernel with an error: all others run, so none takes
/// as long. Other ranks may begin later, as long as they do not end.
inline constexpr std::uint64_t longest_wait = 60'000'000'000;  // ns

template <int p>
inline constexpr int packets = (2 * Bernstein<p>::face_nodes + 2) / 3;

/// A trace of an element or a ghost in shared memory, with the arithmetic of CudaView::Neighbour. at: component 0, node
/// 0 of an element, or the first value of a ghost, [t_a, t_b][Nf][lane 32], which is read as face 3.
template <int p>
__device__ __forceinline__ void load_trace(const float* at, bool is_ghost, std::uint32_t face,
                                           float (&a)[Bernstein<p>::face_nodes], float (&b)[Bernstein<p>::face_nodes]) {
  constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  const float* const from_a = at + (face < 2 ? nodes * block_lanes : 0);
  const float* const from_b = from_a + (is_ghost    ? face_nodes * block_lanes
                                        : face == 2 ? 2 * nodes * block_lanes
                                                    : nodes * block_lanes);
  const std::uint32_t selector = face | 0x4440u;
  static_for<face_nodes>([&](auto i) {
    constexpr std::uint32_t packed = packed_face_nodes<p>[decltype(i)::v];
    const std::uint32_t node = __byte_perm(packed, 0u, selector);
    a[i] = from_a[node * block_lanes];
    b[i] = from_b[node * block_lanes];
  });
  if (face == 0) {
    static_for<face_nodes>([&](auto i) {
      constexpr int node = face_node_table<p>[0][decltype(i)::v];
      const float minus = at[node * block_lanes];
      a[i] -= minus;
      b[i] -= minus;
    });
  }
}

/// The ghosts of a thread, `rounds` at most: it sends the trace at this side of each face and receives the one at the
/// other side. chunk: of those, messages whose loads are on their way at once.
template <int p, int rounds, int chunk>
struct Messenger {
  static constexpr int face_nodes = Bernstein<p>::face_nodes;
  const ResidentArgs& args;
  float* ghosts;                               // of the cluster, [ghost block][t_a, t_b][Nf][lane]
  int first_slot;                              // of all ghosts, the cluster's first one
  int thread, threads;                         // of those that send
  int count;                                   // of the cluster's ghosts
  bool nobody_sends = false;                   // any more: an error ended another rank
  std::uint32_t own[rounds], partner[rounds];  // as in the arrays of the ghosts

  __device__ __forceinline__ Messenger(const ResidentArgs& args_, float* ghosts_, int first_slot_, int thread_,
                                       int threads_, int count_)
      : args(args_), ghosts(ghosts_), first_slot(first_slot_), thread(thread_), threads(threads_), count(count_) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const int ghost = ghost_of(r);
      own[r] = ghost < count ? args.own[first_slot + ghost] : 0;
      partner[r] = ghost < count ? args.partner[first_slot + ghost] : 0;
    }
  }
  __device__ __forceinline__ int ghost_of(int r) const { return thread + r * threads; }
  __device__ __forceinline__ static uint4* place(uint4* message, std::uint32_t ghost) {
    return message + std::size_t(ghost / block_lanes) * (packets<p> * block_lanes) + ghost % block_lanes;
  }
  __device__ __forceinline__ uint4* place_of_partner(int half, std::uint32_t partner) const {
    const std::uint32_t neighbour = GhostPlace::neighbour(partner);
    uint4* const message = neighbour == 0 ? args.message[half] : args.message_of_neighbour[2 * neighbour + half];
    return place(message, GhostPlace::ghost(partner));
  }
  /// Sends the traces of the field `half`. load(own, a, b): a trace.
  template <class Load>
  __device__ __forceinline__ void send(int half, unsigned number, const Load& load) const {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      if (ghost_of(r) >= count) continue;
      float a[face_nodes], b[face_nodes], value[3 * packets<p>] = {};
      load(own[r], a, b);
      static_for<face_nodes>([&](auto i) { value[i] = a[i], value[face_nodes + i] = b[i]; });
      uint4* const at = place_of_partner(half, partner[r]);
      static_for<packets<p>>([&](auto i) {
        const auto word = [&](int k) { return __float_as_uint(value[3 * decltype(i)::v + k]); };
        parallel::store_packet(at + i * block_lanes, {word(0), word(1), word(2), number});
      });
    }
  }
  __device__ __forceinline__ void write_ghost(int ghost, const uint4 (&packet)[packets<p>]) const {
    float* const to = ghosts + ghost / block_lanes * (2 * face_nodes * block_lanes) + ghost % block_lanes;
    static_for<packets<p>>([&](auto i) {
      constexpr int k = 3 * decltype(i)::v;
      to[k * block_lanes] = __uint_as_float(packet[i].x);
      if constexpr (k + 1 < 2 * face_nodes) to[(k + 1) * block_lanes] = __uint_as_float(packet[i].y);
      if constexpr (k + 2 < 2 * face_nodes) to[(k + 2) * block_lanes] = __uint_as_float(packet[i].z);
    });
  }
  /// Receives those of the other sides. Loads of a chunk are on their way before the first is used, and only
  /// what is missing is loaded again.
  __device__ __forceinline__ void receive(int half, unsigned number) {
#pragma unroll
    for (int c = 0; c < rounds; c += chunk) {
      uint4 packet[chunk][packets<p>];
      bool there[chunk], all;
#pragma unroll
      for (int r = 0; r < chunk; ++r) there[r] = ghost_of(c + r) >= count;
      std::uint64_t begin = 0;
      unsigned looks = 0;
      do {
#pragma unroll
        for (int r = 0; r < chunk; ++r) {
          if (there[r]) continue;
          const uint4* const at = place(args.message[half], std::uint32_t(first_slot + ghost_of(c + r)));
          static_for<packets<p>>([&](auto i) { packet[r][i] = parallel::load_packet(at + i * block_lanes); });
        }
        all = true;
#pragma unroll
        for (int r = 0; r < chunk; ++r) {
          if (there[r]) continue;
          bool complete = true;
          static_for<packets<p>>([&](auto i) { complete = complete && packet[r][i].w == number; });
          if (complete) write_ghost(ghost_of(c + r), packet[r]);
          there[r] = complete;
          all = all && complete;
        }
        if (!all && (++looks & 0xffffu) == 0) {
          if (args.ended != nullptr) nobody_sends = parallel::load_word_of_host(args.ended) != 0;
          else if (begin == 0) begin = nanoseconds();
          else if (nanoseconds() - begin > longest_wait) __trap();
        }
      } while (!all && !nobody_sends);
    }
  }
};

}  // namespace dgtd::dg::resident
