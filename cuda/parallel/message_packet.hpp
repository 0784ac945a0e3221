#pragma once
// A packet of a message between kernels (kernel_messages.hpp): x, y, z are values, w is the number of the exchange. All
// four are written and read at once, also between devices: an access of 128 bits to an aligned address is one access of
// the memory model (PTX ISA 8.3, "Vector data-types" and "Scalar data-types": .b128 in place of .v4.b32).
#include <cuda_runtime.h>

#include <cstdint>

namespace dgtd::parallel {

#ifdef __CUDACC__
__device__ __forceinline__ uint4 load_packet(const uint4* at) {
  std::uint64_t low, high;
  asm volatile("{ .reg .b128 t; ld.relaxed.sys.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(low), "=l"(high)
               : "l"(at)
               : "memory");
  return {static_cast<unsigned>(low), static_cast<unsigned>(low >> 32), static_cast<unsigned>(high),
          static_cast<unsigned>(high >> 32)};
}
__device__ __forceinline__ void store_packet(uint4* at, const uint4& packet) {
  const std::uint64_t low = std::uint64_t{packet.y} << 32 | packet.x, high = std::uint64_t{packet.w} << 32 | packet.z;
  asm volatile("{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.sys.global.b128 [%0], t; }" ::"l"(at), "l"(low),
               "l"(high)
               : "memory");
}
/// For the host, after all that this thread has stored or knows to be stored.
__device__ __forceinline__ void tell_host(unsigned* at, unsigned word) {
  __threadfence_system();
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(at), "r"(word) : "memory");
}
/// A word that the host may write.
__device__ __forceinline__ unsigned load_word_of_host(const unsigned* at) {
  unsigned word;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
  return word;
}
#endif

}  // namespace dgtd::parallel
