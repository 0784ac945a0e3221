#include "dgtd/base/peak_memory.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace dgtd {

double peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

ResidentMemory resident_memory() {
  ResidentMemory memory;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    double kilobytes = 0;
    words >> name >> kilobytes;
    if (name == "VmRSS:") memory.now = 1024 * kilobytes;
    if (name == "VmHWM:") memory.peak = 1024 * kilobytes;
  }
  return memory;
}

double host_memory_limit() {
  double limit = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (double bytes = 0; std::ifstream(file) >> bytes) limit = std::min(limit, bytes);  // "max" is no number
  return limit;
}

double process_memory_limit() {
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(space.rlim_cur);
}

void return_freed_memory() { malloc_trim(0); }

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace dgtd
