#pragma once
// Marks functions that the CPU and the CUDA executor both call. Everything in them is forced inline:
// a kernel is one function without calls.
#include <utility>

#if defined(__CUDACC__)
#define DGTD_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define DGTD_HOST_DEVICE inline __attribute__((always_inline))
#endif
/// After the parameters of a lambda that must be inlined, as those which unroll loops inside long kernels.
/// Without optimisation it would only make compilation long.
#if defined(__OPTIMIZE__) || defined(__CUDACC__)
#define DGTD_INLINE __attribute__((always_inline))
#else
#define DGTD_INLINE
#endif
/// Before a loop whose arrays must be registers on a device.
#if defined(__CUDA_ARCH__)
#define DGTD_UNROLL _Pragma("unroll")
#else
#define DGTD_UNROLL
#endif
/// Before a loop that is inlined often: its code stays short on a device.
#if defined(__CUDA_ARCH__)
#define DGTD_NO_UNROLL _Pragma("unroll 1")
#else
#define DGTD_NO_UNROLL
#endif

namespace dgtd {

template <int value>
struct Index {
  static constexpr int v = value;
  constexpr operator int() const { return value; }
};

/// f(Index<0>), f(Index<1>), … f(Index<n-1>): a loop whose counter is a compile-time constant.
template <int n, class F, int... i>
DGTD_HOST_DEVICE void static_for_impl(F&& f, std::integer_sequence<int, i...>) {
  (f(Index<i>{}), ...);
}
template <int n, class F>
DGTD_HOST_DEVICE void static_for(F&& f) {
  static_for_impl<n>(static_cast<F&&>(f), std::make_integer_sequence<int, n>{});
}

}  // namespace dgtd
