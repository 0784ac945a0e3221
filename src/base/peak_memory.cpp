#include "dgtd/base/peak_memory.hpp"

#include <sys/resource.h>

#include <fstream>
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

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace dgtd
