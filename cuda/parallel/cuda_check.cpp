#include "cuda_check.hpp"

#include <fmt/format.h>

#include <cstring>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

const char* advice(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation: return "use more ranks, a lower order or single precision";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch: return "check the driver with nvidia-smi, or use solver.backend = cpu";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion: return "build with CMAKE_CUDA_ARCHITECTURES of this device";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure: return "an error of the program: run compute-sanitizer and report it";
    default: return "run again, or use solver.backend = cpu";
  }
}

}  // namespace

void cuda_check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  const char* const in_project = std::strstr(file, "cuda/");
  const ExitCode code = status == cudaErrorMemoryAllocation ? ExitCode::out_of_memory : ExitCode::device;
  throw Error(code, fmt::format("CUDA: {} failed at {}:{}: {}; {}", call, in_project ? in_project : file, line,
                                cudaGetErrorString(status), advice(status)));
}

}  // namespace dgtd::parallel
