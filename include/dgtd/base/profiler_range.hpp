#pragma once
// Named ranges in the time lines of profilers.
#include <string>

namespace dgtd {

/// A range of this thread from its construction to its destruction, which Nsight Systems shows above the kernels of the
/// device (NVTX). Without a profiler, and in programs without CUDA code, it does nothing.
class ProfilerRange {
 public:
  explicit ProfilerRange(const std::string& name);
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace dgtd
