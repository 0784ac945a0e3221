#pragma once
// Sizes of this machine's caches.
#include <filesystem>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// Caches of the first processor. threads: those of all ranks of this host.
/// caches: the directory where Linux describes them, index0 and so on with level, type, size and shared_cpu_list.
/// Where it lacks one, sysconf counts, whose shared cache may be that of all processors (eight times one's on an EPYC).
CacheSizes cache_sizes(int threads, const std::filesystem::path& caches = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace dgtd::fdtd
