#include "dgtd/base/peak_memory.hpp"

#include <sys/resource.h>

namespace dgtd {

double peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace dgtd
