#pragma once
// Half steps of high orders: a warp per component of 32 elements. The rates of all three components (3 Np numbers) do
// not fit into the 255 registers of one thread in double precision from P4 on and in single precision at P6; spilled,
// they take most of the time. Each warp computes the contravariant rates of its component i, with the arithmetic of
// intVolume and intSurface for it, in shared memory, from which the three then update the covariant components k:
//   u_k += Cb (G_k1 r^1 + G_k2 r^2 + G_k3 r^3).
// The three warps run the same instructions: code of its own for each component would not fit into the caches of
// instructions (docs/notebook/2026-11-28-high-orders-on-a-gpu.md). The fields have the bits of element_update.
#include "../parallel/cuda_check.hpp"
#include "cuda_view.hpp"
#include "dgtd/dg/kernels/element_update.hpp"

namespace dgtd::dg {

/// Whether batches of an order take a warp per component.
template <int p, class Real>
inline constexpr bool has_component_kernel = sizeof(Real) == 4 ? p >= 6 : p >= 4;

/// Thread blocks that a multiprocessor must hold, which bounds the registers per thread.
template <class Real>
inline constexpr int resident_component_blocks = sizeof(Real) == 4 ? 5 : 4;

inline constexpr int component_threads = 3 * block_lanes;
template <int p, class Real>
inline constexpr int component_bytes = int(3 * Bernstein<p>::nodes * block_lanes * sizeof(Real));  // of shared memory

/// The rates of one component, i, of an element in a lane. The component is known at run time only.
template <int p, class Real>
struct ComponentRates {
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  const CudaView<p, Real>& view;
  const Real* source;  // of the element
  Real* rates;         // [node Np], lane by lane, in shared memory
  int i;

  static constexpr int reals_of_component = nodes * block_lanes;
  __device__ __forceinline__ Real& rate(std::uint32_t node) const { return rates[node * block_lanes]; }

  /// The curl inside the element (intVolume, int_volume.hpp).
  __device__ __forceinline__ void set_volume() const {
    const int j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
    const Real *const u_j = source + j * reals_of_component, *const u_k = source + k * reals_of_component;
    Real curl[Bernstein<p>::lower_nodes];
    static_for<Bernstein<p>::lower_nodes>([&](auto b) {
      constexpr auto raised = raised_nodes<p - 1>[decltype(b)::v];
      constexpr std::uint32_t packed = raised[1] | raised[2] << 8 | raised[3] << 16;
      const auto at = [](const Real* u, std::uint32_t node) { return __ldg(u + node * block_lanes); };
      curl[b] = curl_coefficient<Real>(at(u_k, byte_of(packed, j)), at(u_k, raised[0]), at(u_j, byte_of(packed, k)),
                                       at(u_j, raised[0]));
    });
    static_for<nodes>([&](auto a) {
      rate(a) = row_times<Real, ElevationRows<p>, decltype(a)::v>([&](int lower) { return curl[lower]; });
    });
  }

  /// Adds the lift of the flux along an edge, 0 (e_a) or 1 (e_b), of a face (intSurface, int_surface.hpp).
  __device__ __forceinline__ void add_face(int face, int edge) const {
    Real flux[face_nodes];
    view.neighbour().load_edge(face, 1 - edge, flux);  // n x exchanges the edges
    const Real* const own = source + component_along(1 - edge, face) * reals_of_component;
    const bool own_first = (face_orientation_is_positive(face)) != (edge == 0);
    static_for<face_nodes>([&](auto n) {
      const std::uint32_t node = byte_of(packed_face_nodes<p>[decltype(n)::v], face) * block_lanes;
      Real trace = __ldg(own + node);
      if (face == 0) trace -= __ldg(source + node);  // own_trace
      flux[n] = own_first ? trace - flux[n] : flux[n] - trace;
    });
    Real lifted[face_nodes];
    static_for<face_nodes>(
        [&](auto n) { lifted[n] = row_times<Real, LiftRows<p>, decltype(n)::v>([&](int m) { return flux[m]; }); });
    add_layers<0>(lifted, face);
  }
  static_assert(face_orientation[0] < 0 && face_orientation[1] > 0 && face_orientation[2] < 0 &&
                face_orientation[3] > 0);
  static __device__ __forceinline__ bool face_orientation_is_positive(int face) { return face % 2 != 0; }

  template <int layer>
  __device__ __forceinline__ void add_layers(const Real (&values)[triangle_nodes(p - layer)], int face) const {
    constexpr int count = triangle_nodes(p - layer);
    Real old[count];  // all are loaded before one is stored: the compiler cannot tell the nodes apart
    static_for<count>([&](auto n) { old[n] = rate(byte_of(packed_layer_nodes<p, layer>[decltype(n)::v], face)); });
    static_for<count>([&](auto n) {
      rate(byte_of(packed_layer_nodes<p, layer>[decltype(n)::v], face)) =
          fma(constant<Real>(0.5 * layer_factor(layer)), values[n], old[n]);
    });
    if constexpr (layer < p) {
      Real next[triangle_nodes(p - layer - 1)];
      static_for<triangle_nodes(p - layer - 1)>([&](auto n) {
        next[n] = row_times<Real, ReductionRows<p - layer>, decltype(n)::v>([&](int m) { return values[m]; });
      });
      add_layers<layer + 1>(next, face);
    }
  }

  /// Component 0 has the lifts of both edges of face 0, whose sum is rounded once.
  __device__ __forceinline__ void add_both_edges_of_face_0() const {
    Real lifted[2][face_nodes];
    lift_edge<p, 0, 0>(view.source(), view.neighbour(), lifted[0]);
    lift_edge<p, 0, 1>(view.source(), view.neighbour(), lifted[1]);
    lift_layers<p, 0, 0, 2>(lifted, [&](auto node, Real factor, const Real(&value)[2]) {
      rate(node) = fma(-factor, value[0] + value[1], rate(node));
    });
  }

  __device__ __forceinline__ void compute() const {
    set_volume();
    if (i == 0) add_both_edges_of_face_0();
    // The faces whose flux along an edge belongs to the component (lifted_component): 2 face + edge, a digit each.
    const unsigned faces = i == 0 ? 0x64u : i == 1 ? 0x720u : 0x531u;
    const int count = i == 0 ? 2 : 3;
#pragma unroll 1
    for (int n = 0; n < count; ++n) {
      const int task = faces >> (4 * n) & 15;
      add_face(task / 2, task % 2);
    }
  }
};
static_assert(lifted_component<2, 0> == 0 && lifted_component<3, 0> == 0 && lifted_component<0, 0> == 1 &&
              lifted_component<1, 0> == 1 && lifted_component<3, 1> == 1 && lifted_component<0, 1> == 2 &&
              lifted_component<1, 1> == 2 && lifted_component<2, 1> == 2);

// A thread block per block of elements, from `first` on.
template <int p, bool conductive, class Real>
__global__ void __launch_bounds__(component_threads, resident_component_blocks<Real>)
    component_kernel(const ElementArrays<Real> arrays, const Real* __restrict__ source, Real* target,
                     std::int64_t first) {
  constexpr int nodes = Bernstein<p>::nodes, reals = nodes * block_lanes;
  extern __shared__ unsigned char memory[];
  Real* const shared = reinterpret_cast<Real*>(memory);  // [component 3][node Np][lane 32]
  const int k = int(threadIdx.x) / block_lanes, lane = int(threadIdx.x) % block_lanes;
  const CudaView<p, Real> view{{arrays, first + blockIdx.x, lane}, source, target};
  ComponentRates<p, Real>{view, source + view.field_offset(), shared + k * reals + lane, k}.compute();

  const Real Cb = view.Cb(), Ca = conductive ? view.Ca() : Real(1);
  const Real* const metric = arrays.metric + view.element_offset(6);
  const unsigned entries = k == 0 ? 0x210u : k == 1 ? 0x431u : 0x542u;  // of G_k1, G_k2, G_k3, a digit each
  Real g[3];
  for (int m = 0; m < 3; ++m) g[m] = Cb * metric[(entries >> (4 * m) & 15u) * block_lanes];
  __syncthreads();
  Real* const field = target + view.field_offset() + k * reals;
  constexpr int group = nodes % 7 == 0 ? 7 : nodes % 5 == 0 ? 5 : 4;  // nodes whose old values are loaded at once
  static_assert(nodes % group == 0);
#pragma unroll 1
  for (int first_node = 0; first_node < nodes; first_node += group) {
    Real old[group];
    static_for<group>([&](auto n) { old[n] = field[(first_node + n) * block_lanes]; });
    static_for<group>([&](auto n) {
      const Real* const r = shared + (first_node + n) * block_lanes + lane;
      const Real change = fma(g[0], r[0], fma(g[1], r[reals], g[2] * r[2 * reals]));
      field[(first_node + n) * block_lanes] = conductive ? fma(Ca, old[n], change) : old[n] + change;
    });
  }
}

template <int p, bool conductive, class Real>
void launch_components(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                       std::int64_t blocks, cudaStream_t stream) {
  if (blocks == 0) return;
  const auto kernel = component_kernel<p, conductive, Real>;
  static const cudaError_t allowed =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, component_bytes<p, Real>);
  DGTD_CUDA_CHECK(allowed);
  kernel<<<static_cast<unsigned>(blocks), component_threads, component_bytes<p, Real>, stream>>>(arrays, source, target,
                                                                                                 first);
  DGTD_CUDA_CHECK_LAUNCH();
}

}  // namespace dgtd::dg
