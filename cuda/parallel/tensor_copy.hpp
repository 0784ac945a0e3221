#pragma once
// Boxes of an array in global memory copied to shared memory by the device's copy engine, and barriers in shared memory
// that count arrivals and bytes (compute capability 9.0 and later; PTX ISA: cp.async.bulk.tensor, mbarrier).
#include <cuda.h>

#include <cstdint>

namespace dgtd::parallel {

#if defined(__CUDACC__)
__device__ __forceinline__ std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}

/// A barrier in shared memory. A phase ends when `arrivals` and all announced bytes have come; phases have parities
/// 0, 1, 0, ...
struct SharedBarrier {
  std::uint64_t state;

  __device__ __forceinline__ void start(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
  }
  __device__ __forceinline__ void arrive() {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  /// By the threads for which it is true, without a branch.
  __device__ __forceinline__ void arrive_if(bool here) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\n}\n" ::"r"(
            shared_address(this)),
        "r"(static_cast<std::uint32_t>(here))
        : "memory");
  }
  __device__ __forceinline__ void arrive_and_expect(std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                 : "memory");
  }
  /// Until the phase of that parity has ended.
  __device__ __forceinline__ void wait(std::uint32_t parity) {
    asm volatile(
        "{\n.reg .pred p;\nagain_%=:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done_%=;\n"
        "bra again_%=;\ndone_%=:\n}\n" ::"r"(shared_address(this)),
        "r"(parity)
        : "memory");
  }
};

/// Makes started barriers visible to the copy engine; before the block's barrier.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Copies the box of the map (four dimensions) that begins at x, y, z, c; `to` is aligned to 128 bytes. Outside the
/// array the box is zero. The barrier counts the bytes.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap& map, SharedBarrier& barrier, int x, int y, int z,
                                         int c) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(&map), "r"(shared_address(&barrier)), "r"(x), "r"(y), "r"(z), "r"(c)
      : "memory");
}

/// 4, 8 or 16 bytes from global to shared memory, which this thread alone waits for.
template <int bytes>
__device__ __forceinline__ void copy_bytes(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(bytes) : "memory");
}
/// Zero where it is not true; then nothing is read.
template <int bytes>
__device__ __forceinline__ void copy_bytes_if(bool here, void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(from), "n"(bytes),
               "r"(here ? bytes : 0)
               : "memory");
}
/// From memory to the second cache, by the threads for which it is true, without a branch.
__device__ __forceinline__ void prefetch_if(bool here, const void* at) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p prefetch.global.L2 [%0];\n}\n" ::"l"(at),
               "r"(static_cast<std::uint32_t>(here)));
}
/// Two numbers, or 0 where it is not true. Without a branch, so that several loads are on their way at once.
__device__ __forceinline__ float2 load_if(bool here, const float* from) {
  float2 both;
  asm("{\n.reg .pred p;\nsetp.ne.u32 p, %3, 0;\nmov.f32 %0, 0f00000000;\nmov.f32 %1, 0f00000000;\n"
      "@p ld.global.nc.v2.f32 {%0, %1}, [%2];\n}\n"
      : "=&f"(both.x), "=&f"(both.y)
      : "l"(from), "r"(static_cast<unsigned>(here)));
  return both;
}
/// Stores one or two words without a branch.
__device__ __forceinline__ void store_if(bool here, void* at, std::uint32_t word) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p st.global.b32 [%0], %1;\n}\n" ::"l"(at), "r"(word),
               "r"(static_cast<std::uint32_t>(here))
               : "memory");
}
__device__ __forceinline__ void store_if(bool here, void* at, std::uint32_t first, std::uint32_t second) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %3, 0;\n@p st.global.v2.b32 [%0], {%1, %2};\n}\n" ::"l"(at),
               "r"(first), "r"(second), "r"(static_cast<std::uint32_t>(here))
               : "memory");
}
/// Likewise to shared memory; 8 bytes aligned.
__device__ __forceinline__ void store_shared_if(bool here, void* at, std::uint32_t first, std::uint32_t second) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.u32 p, %3, 0;\n@p st.shared.v2.b32 [%0], {%1, %2};\n}\n" ::"r"(shared_address(at)),
      "r"(first), "r"(second), "r"(static_cast<std::uint32_t>(here))
      : "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
#endif

/// The map of arrays [c][z][y][x] of floats, or of numbers of 16 bits, for boxes of box[0] x box[1] x 1 x 3; strides of
/// y, z, c in bytes and box[0] numbers are multiples of 16 bytes. Throws Error (device) where the driver refuses it.
CUtensorMap map_of_components(const float* data, const std::uint64_t (&size)[4], const std::uint64_t (&stride)[3],
                              const std::uint32_t (&box)[2]);
CUtensorMap map_of_components(const std::uint16_t* data, const std::uint64_t (&size)[4],
                              const std::uint64_t (&stride)[3], const std::uint32_t (&box)[2]);

}  // namespace dgtd::parallel
