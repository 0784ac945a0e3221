#pragma once
// Many whole steps of all elements of a rank in one kernel, whose fields stay in shared memory (resident_clusters.hpp):
// one thread block per cluster, all of them resident at once. Traces between clusters are messages
// (resident_messages.hpp).
//
// Warps of a thread block either update blocks of elements or send and receive. In a half step
//   a message warp waits for the traces of the source, writes them to the ghosts      barrier `ghosts_are_there`,
//   which the update warps at the surface of the cluster wait for, and update surface blocks first
//   after their last one the message warps send its traces                            barrier `surface_is_updated`
//   and all update warps meet                                                         barrier `all_are_updated`.
#include "resident_launch.hpp"
#include "resident_messages.hpp"

namespace dgtd::dg::resident {

enum Barrier { ghosts_are_there = 1, surface_is_updated = 2, all_are_updated = 3 };
__device__ __forceinline__ void meet(Barrier id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(int(id)), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive(Barrier id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(int(id)), "r"(threads) : "memory");
}

/// Data of an element beside its fields.
struct Data {
  std::uint32_t code[4];
  Metric<float> metric;
  float Cb[2], Ca;
  std::int32_t boundary_block, current_block;
  __device__ __forceinline__ void load(const ResidentArgs& args, int block, int lane) {
    static_for<4>([&](auto f) { code[f] = __ldg(args.code + (std::size_t(block) * 4 + f) * block_lanes + lane); });
    static_for<6>([&](auto k) { metric.g[k] = __ldg(args.metric + (std::size_t(block) * 6 + k) * block_lanes + lane); });
    static_for<2>([&](auto h) { Cb[h] = __ldg(args.Cb[h] + std::size_t(block) * block_lanes + lane); });
    Ca = __ldg(args.Ca + std::size_t(block) * block_lanes + lane);
    boundary_block = __ldg(args.boundary_block + block);
    current_block = args.currents.count > 0 ? __ldg(args.currents.of_block + block) : -1;
  }
};

/// The view of the kernel bodies of an element in shared memory.
template <int p>
struct View {
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  const float *source_field, *ghosts;
  float* target_field;
  int offset;  // of the element in the fields of the cluster
  const Data& data;
  float Ca_, Cb_;

  struct Coefficients {
    const float* at;
    __device__ __forceinline__ float operator()(int component, int node) const {
      return at[BlockLayout<p>::offset(component, node)];
    }
  };
  struct Neighbour {
    const float *field, *ghosts;
    const std::uint32_t (&code)[4];
    template <class Face>
    __device__ __forceinline__ void load(Face face, float (&a)[face_nodes], float (&b)[face_nodes]) const {
      const std::uint32_t c = code[face];
      const bool is_ghost = (c & 4u) != 0;
      load_trace<p>((is_ghost ? ghosts : field) + (c >> 3), is_ghost, c & 3u, a, b);
    }
  };
  __device__ __forceinline__ Coefficients source() const { return {source_field + offset}; }
  __device__ __forceinline__ Coefficients target() const { return {target_field + offset}; }
  __device__ __forceinline__ Neighbour neighbour() const { return {source_field, ghosts, data.code}; }
  __device__ __forceinline__ Metric<float> metric() const { return data.metric; }
  __device__ __forceinline__ float Cb() const { return Cb_; }
  // Ca is 1 in lossless elements: fma(1, old, change) has the bits of old + change.
  template <MediumKind, class Increment>
  __device__ __forceinline__ void advance(const Increment& increment) const {
    float* const at = target_field + offset;
    constexpr int group = 3 * nodes <= 30 ? 3 * nodes : nodes;  // loaded before any is stored
    static_for<3 * nodes / group>([&](auto g) {
      constexpr int first = decltype(g)::v * group;
      float before[group];
      static_for<group>([&](auto i) { before[i] = at[(first + i) * block_lanes]; });
      static_for<group>([&](auto i) {
        constexpr int k = first + decltype(i)::v;
        at[k * block_lanes] = fma(Ca_, before[i], increment(Index<k / nodes>{}, Index<k % nodes>{}));
      });
    });
  }
};

/// Data of the boundary faces of a lane's element, in global memory; null: the block has none.
struct Boundary {
  const float *mirror, *admittance;
};

/// intSurface and intSurfaceBoundary in one, without external fields: a second body of all faces would not stay in the
/// cache of instructions. Whether a block has boundary faces is the same for all lanes, and so are the branches.
template <int p>
__device__ __forceinline__ void add_surface(const View<p>& view, const Boundary& boundary,
                                            float (&rates)[3][Bernstein<p>::nodes]) {
  constexpr int nodes = Bernstein<p>::face_nodes;
  const bool is_boundary = boundary.mirror != nullptr;
  const auto source = view.source();
  const auto target = view.target();
  const auto neighbour = view.neighbour();
  static_for<4>([&](auto face) {
    constexpr int f = decltype(face)::v;
    float a[nodes], b[nodes];
    neighbour.load(face, a, b);
    if (is_boundary) {
      const float mirror = __ldg(boundary.mirror + f * block_lanes);
      static_for<nodes>([&](auto i) { a[i] *= mirror, b[i] *= mirror; });
    }
    static_for<nodes>([&](auto i) {
      constexpr int node = face_node_table<p>[f][decltype(i)::v];
      const auto flux = centered_flux<f>(own_trace<p, f, 0>(source, node), own_trace<p, f, 1>(source, node), a[i], b[i]);
      a[i] = flux.a, b[i] = flux.b;
    });
    if (is_boundary) {  // the damping of boundary_flux
      const auto entry = [&](int k) { return __ldg(boundary.admittance + (f * 3 + k) * block_lanes); };
      const float aa = entry(0), ab = entry(1), bb = entry(2);
      static_for<nodes>([&](auto i) {
        constexpr int node = face_node_table<p>[f][decltype(i)::v];
        const float jump_a = 0.0f - own_trace<p, f, 0>(target, node), jump_b = 0.0f - own_trace<p, f, 1>(target, node);
        a[i] = fma(aa, jump_a, fma(ab, jump_b, a[i]));
        b[i] = fma(ab, jump_a, fma(bb, jump_b, b[i]));
      });
    }
    lift_face<p, f>(a, b, rates);
  });
}

/// Adds the currents of a step to the block of a warp, in shared memory, and notes their voltages.
__device__ __forceinline__ void add_currents(const ResidentCurrents& c, int block, float* at, int step, int lane) {
  const std::uint32_t* const first = c.first + std::size_t(block) * (c.count + 1);
  const double* const f = c.numbers + std::size_t(step) * 2 * c.count;
  for (int i = 0; i < c.count; ++i) {
    __syncwarp();
    for (std::uint32_t k = first[i] + lane; k < first[i + 1]; k += block_lanes) {
      float& u = at[c.offset[k]];
      u = static_cast<float>(u + f[i] * c.increment[k]);
    }
  }
  __syncwarp();
  for (int i = 0; i < c.count; ++i) {
    double sum = 0;
    for (std::uint32_t k = first[i] + lane; k < first[i + 1]; k += block_lanes) sum += c.weight[k] * at[c.offset[k]];
    for (int half = block_lanes / 2; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half);
    if (lane == 0) c.partial[(std::size_t(step) * c.count + i) * c.blocks + block] = sum;
  }
}

template <int p>
struct Shape {
  static constexpr int threads = p == 1 ? 512 : 384;  // P2 and P3 need 160 registers and more
  static constexpr int rounds = 4;                    // ghosts of a thread
  static constexpr int chunk = p == 1 ? 4 : 2;        // of those, messages whose loads are on their way at once
};

template <int p>
__global__ void __launch_bounds__(Shape<p>::threads, 1) resident_kernel(const __grid_constant__ ResidentArgs args) {
  extern __shared__ float memory[];
  constexpr int reals = int(BlockLayout<p>::block_reals), coefficients = 3 * Bernstein<p>::nodes;
  const int cluster = blockIdx.x, lane = threadIdx.x % block_lanes, warp = threadIdx.x / block_lanes;
  const int warps = args.update_warps, messengers = int(blockDim.x) - warps * block_lanes;
  const int first = args.first_block[cluster], blocks = args.first_block[cluster + 1] - first;
  const int surface = args.surface_blocks[cluster];
  const int at_surface = min(surface, warps) * block_lanes + messengers;  // threads that meet there
  float *const electric = memory, *const magnetic = memory + blocks * reals, *const ghosts = magnetic + blocks * reals;

  const auto for_each_coefficient = [&](const auto& copy) {
    for (int k = warp; k < blocks; k += int(blockDim.x) / block_lanes) {
      const std::uint32_t slot = args.slot[std::size_t(first + k) * block_lanes + lane];
      const bool is_padding = slot == ~0u;
      const std::size_t at = is_padding ? 0 : std::size_t(slot / block_lanes) * reals + slot % block_lanes;
      for (int i = 0; i < coefficients; ++i)
        copy(k * reals + i * block_lanes + lane, at + std::size_t(i) * block_lanes, is_padding);
    }
  };
  for_each_coefficient([&](int here, std::size_t there, bool is_padding) {
    electric[here] = is_padding ? 0 : args.field[0][there];
    magnetic[here] = is_padding ? 0 : args.field[1][there];
  });
  const int ghost_reals =
      (args.first_ghost_block[cluster + 1] - args.first_ghost_block[cluster]) * 2 * Bernstein<p>::face_nodes * block_lanes;
  for (int i = threadIdx.x; i < ghost_reals; i += blockDim.x) ghosts[i] = 0;
  __syncthreads();

  if (warp >= warps) {
    Messenger<p, Shape<p>::rounds, Shape<p>::chunk> messenger(
        args, ghosts, args.first_ghost_block[cluster] * block_lanes, int(threadIdx.x) - warps * block_lanes, messengers,
        args.ghosts[cluster]);
    const auto send = [&](const float* field, int half, unsigned number) {
      messenger.send(half, number, [&](std::uint32_t own, auto& a, auto& b) {
        load_trace<p>(field + (own >> 3), false, own & 3u, a, b);
      });
    };
    send(electric, 0, args.number);
#pragma unroll 1
    for (int s = 1; s <= args.half_steps; ++s) {
      const int half = s & 1;  // the one that is computed: H first
      messenger.receive(1 - half, args.number + unsigned(s) - 1);
      arrive(ghosts_are_there, at_surface);
      meet(surface_is_updated, at_surface);
      send(half ? magnetic : electric, half, args.number + unsigned(s));
    }
  } else {
    Data data;
    if (warp < blocks) data.load(args, first + warp, lane);
#pragma unroll 1
    for (int s = 1; s <= args.half_steps; ++s) {
      const int half = s & 1;
      float *const source = half ? electric : magnetic, *const target = half ? magnetic : electric;
      if (warp < surface) meet(ghosts_are_there, at_surface);
#pragma unroll 1
      for (int k = warp; k < blocks; k += warps) {
        const View<p> view{source, ghosts, target, k * reals + lane, data, half ? 1.0f : data.Ca, half ? data.Cb[1] : data.Cb[0]};
        const std::size_t at = std::size_t(data.boundary_block) * 4 * block_lanes;
        const Boundary boundary = data.boundary_block < 0
                                      ? Boundary{nullptr, nullptr}
                                      : Boundary{args.mirror[half] + at + lane, args.admittance[half] + 3 * at + lane};
        float rates[3][Bernstein<p>::nodes];
        intVolume<p>(view.source(), rates);
        add_surface<p>(view, boundary, rates);
        updateField<p, MediumKind::conductive>(view, rates);
        if (!half && data.current_block >= 0)
          add_currents(args.currents, data.current_block, target + k * reals, s / 2 - 1, lane);
        if (k < surface && k + warps >= surface) arrive(surface_is_updated, at_surface);
        data.load(args, first + (k + warps < blocks ? k + warps : warp), lane);
      }
      meet(all_are_updated, warps * block_lanes);
    }
  }
  __syncthreads();
  for_each_coefficient([&](int here, std::size_t there, bool is_padding) {
    if (is_padding) return;
    args.field[0][there] = electric[here];
    args.field[1][there] = magnetic[here];
  });
}

}  // namespace dgtd::dg::resident

namespace dgtd::dg {

template <int p>
ResidentKernel make_resident_kernel() {
  using Shape = resident::Shape<p>;
  return {reinterpret_cast<const void*>(&resident::resident_kernel<p>), Shape::threads / block_lanes, p == 1 ? 12 : p == 2 ? 8 : 10,
          Shape::rounds, resident::packets<p>};
}

}  // namespace dgtd::dg
