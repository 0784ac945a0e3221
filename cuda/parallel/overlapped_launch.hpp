#pragma once
// Kernels that follow each other in a stream, of which the next one begins while the last thread blocks of the one
// before still run (programmatic dependent launch, compute capability 9.0): the launch, and what it loads before it
// waits, no longer take time of their own, and its first thread blocks fill the multiprocessors that are free.
#include "cuda_check.hpp"

namespace dgtd::parallel {

#ifdef __CUDACC__
/// In a kernel launched with launch_overlapped(): returns when the kernel before has finished; what it has written may
/// be read through the pointer afterwards, not before. All threads call it, so that later kernels, which wait for this
/// one only, follow the earlier ones too.
template <class T>
__device__ __forceinline__ const T* after_previous_kernel(const T* pointer) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("" : "+l"(pointer)::"memory");  // loads of read-only data would be moved across the wait
#endif
  return pointer;
}
/// The next kernel may begin when all thread blocks have called it.
__device__ __forceinline__ void allow_next_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
#endif

/// overlapped: the kernel begins before the one that was launched in the stream before it has finished.
template <class... Parameters>
void launch_overlapped(bool overlapped, void (*kernel)(Parameters...), unsigned thread_blocks, unsigned threads,
                       cudaStream_t stream, Parameters... parameters) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = thread_blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = overlapped ? 1 : 0;
  DGTD_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, parameters...));
}

}  // namespace dgtd::parallel
