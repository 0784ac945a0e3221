#pragma once
// Work that is queued again and again, recorded once: a CUDA graph costs the host one call, its launches, events and
// messages one each.
#include <cuda_runtime.h>

#include <functional>

#include "cuda_check.hpp"
#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

class CudaGraph {
 public:
  CudaGraph() = default;
  ~CudaGraph() { forget(); }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  /// Runs the work: directly the first time, since libraries set themselves up at their first call; recorded
  /// the second time; replayed from then on, unless an array in memory was changed on the host. The work begins and
  /// ends in the stream. While other work of the stream is recorded, it becomes a part of that.
  void run(cudaStream_t stream, Memory& memory, const std::function<void()>& work) {
    if (is_capturing(stream)) return work();
    if (host_writes_ != memory.host_writes()) forget();
    host_writes_ = memory.host_writes();
    if (calls_++ == 0) return work();
    if (graph_ == nullptr) {
      cudaGraph_t recorded = nullptr;
      DGTD_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      work();
      DGTD_CUDA_CHECK(cudaStreamEndCapture(stream, &recorded));
      // Without the flag all kernels have the priority of the stream that the graph is launched in.
      DGTD_CUDA_CHECK(cudaGraphInstantiate(&graph_, recorded, cudaGraphInstantiateFlagUseNodePriority));
      (void)cudaGraphDestroy(recorded);
    }
    DGTD_CUDA_CHECK(cudaGraphLaunch(graph_, stream));
    memory.note_replay();
  }
  /// The work is recorded anew: its arrays were reallocated.
  void forget() {
    if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
    calls_ = 0;
  }

 private:
  static bool is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    DGTD_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    return status != cudaStreamCaptureStatusNone;
  }

  cudaGraphExec_t graph_ = nullptr;
  int calls_ = 0;
  std::uint64_t host_writes_ = 0;  // Memory::host_writes() of the last call
};

}  // namespace dgtd::parallel
