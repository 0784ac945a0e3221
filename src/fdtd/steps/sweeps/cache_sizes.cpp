#include "fdtd/steps/sweeps/cache_sizes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace dgtd::fdtd {

namespace {

struct Cache {
  int level = 0;
  double bytes = 0;
  int processors = 1;  // that share it
};

std::string first_line(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line;
}

// Number of processors in a list: 5 of "0-3,8".
int count_of_list(const std::string& list) {
  std::istringstream ranges(list);
  int count = 0;
  for (std::string range; std::getline(ranges, range, ',');) {
    int first = 0, last = 0;
    const int numbers = std::sscanf(range.c_str(), "%d-%d", &first, &last);
    if (numbers > 0) count += numbers == 2 ? last - first + 1 : 1;
  }
  return std::max(1, count);
}

// Size in bytes, of "512K" or "32M".
double bytes_of(const std::string& size) {
  double value = 0;
  char unit = ' ';
  std::sscanf(size.c_str(), "%lf%c", &value, &unit);
  return value * (unit == 'K' ? 1024.0 : unit == 'M' ? 1024.0 * 1024.0 : 1.0);
}

// Without bytes where there is none that holds data.
Cache described(const std::filesystem::path& directory) {
  if (first_line(directory / "type") != "Unified") return {};
  return {std::atoi(first_line(directory / "level").c_str()), bytes_of(first_line(directory / "size")),
          count_of_list(first_line(directory / "shared_cpu_list"))};
}

}  // namespace

CacheSizes cache_sizes(int threads, const std::filesystem::path& caches) {
  constexpr double least = 1 << 18;  // where the system does not say
  Cache own{2, double(sysconf(_SC_LEVEL2_CACHE_SIZE))};
  Cache shared{3, double(sysconf(_SC_LEVEL3_CACHE_SIZE)), threads};
  constexpr int most_caches = 16;
  for (int i = 0; i < most_caches; ++i)
    if (const Cache cache = described(caches / ("index" + std::to_string(i))); cache.bytes > 0) {
      if (cache.level == own.level) own = cache;
      if (cache.level == shared.level) shared = cache;
    }
  const int sharing = std::clamp(threads, 1, shared.processors);
  return {std::max(least, own.bytes), std::max(0.0, shared.bytes) / sharing};
}

}  // namespace dgtd::fdtd
