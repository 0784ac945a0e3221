#include "dgtd/base/profiler_range.hpp"

#if DGTD_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace dgtd {

#if DGTD_NVTX
ProfilerRange::ProfilerRange(const std::string& name) { nvtxRangePushA(name.c_str()); }
ProfilerRange::~ProfilerRange() { nvtxRangePop(); }
#else
ProfilerRange::ProfilerRange(const std::string&) {}
ProfilerRange::~ProfilerRange() = default;
#endif

}  // namespace dgtd
