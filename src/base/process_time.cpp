#include "dgtd/base/process_time.hpp"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace dgtd {

// Field 22 of /proc/self/stat is the start in clock ticks since the system's own (proc(5)). The name of the program,
// field 2, may contain blanks: fields are counted from the parenthesis that ends it.
double seconds_since_process_start() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line) || line.rfind(')') == std::string::npos) return 0;
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  double ticks = 0;
  timespec now{};
  if (!(fields >> ticks) || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  const double seconds = double(now.tv_sec) + 1e-9 * double(now.tv_nsec) - ticks / double(sysconf(_SC_CLK_TCK));
  return seconds > 0 ? seconds : 0;
}

}  // namespace dgtd
