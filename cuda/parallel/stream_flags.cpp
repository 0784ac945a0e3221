#include "stream_flags.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "loaded_library.hpp"

namespace dgtd::parallel {

namespace {

struct Driver {
  std::string why_not;  // empty where it is loaded
  decltype(&cuStreamWriteValue32) write = nullptr;
  decltype(&cuStreamWaitValue32) wait = nullptr;
};

// Not linked, so that the program also starts where there is no driver. The names are those of the present version of
// the operations, which needs no setting of the driver.
const Driver& driver() {
  static const Driver loaded = [] {
    Driver d;
    LoadedLibrary library("the driver", {"libcuda.so.1"});
    library.find(d.write, "cuStreamWriteValue32_v2");
    library.find(d.wait, "cuStreamWaitValue32_v2");
    d.why_not = library.why_not();
    return d;
  }();
  return loaded;
}

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS)
    throw Error(ExitCode::device, fmt::format("CUDA: {} failed with code {}; use solver.halo_transport = mpi-host",
                                              call, static_cast<int>(result)));
}

}  // namespace

const std::string& why_no_stream_flags() { return driver().why_not; }

// By default a write follows a fence for the whole system.
void write_flag(cudaStream_t stream, Flag* flag, Flag value) {
  check(driver().write(stream, reinterpret_cast<CUdeviceptr>(flag), value, CU_STREAM_WRITE_VALUE_DEFAULT),
        "cuStreamWriteValue32");
}

void wait_for_flag(cudaStream_t stream, const Flag* flag, Flag value) {
  check(driver().wait(stream, reinterpret_cast<CUdeviceptr>(flag), value, CU_STREAM_WAIT_VALUE_GEQ),
        "cuStreamWaitValue32");
}

}  // namespace dgtd::parallel
