#include "plan_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/reproductions/kernels/line_tile.hpp"

namespace dgtd::reproductions {

template <class Real>
std::vector<TileRange> plan_tiles(const std::vector<Subdomain<Real>>& subdomains, int chunk, int most_tiles) {
  const int halo = chunk + 1, capacity = line_threads * most_cells_a_thread<Real>,
            budget = std::max(1, most_tiles / static_cast<int>(subdomains.size()));
  std::vector<TileRange> tiles;
  for (std::size_t p = 0; p < subdomains.size(); ++p) {
    const int cells = subdomains[p].line.cells();
    int count = cells <= 8 * line_threads ? 1 : std::clamp(cells / (2 * halo), 1, budget);
    const auto fits = [&](int n) {
      return n == 1 ? cells <= capacity : cells / n >= halo && (cells + n - 1) / n + 2 * halo <= capacity;
    };
    while (!fits(count) && count < budget) ++count;
    if (!fits(count))
      throw Error(
          fmt::format("solver.subdomains = {}: a subdomain of {} cells with chunks of {} steps does not fit on the "
                      "device's {} thread blocks; allowed are more subdomains, fewer "
                      "cells, or solver.backend = cpu",
                      subdomains.size(), cells, chunk, most_tiles));
    for (int n = 0; n < count; ++n)
      tiles.push_back({static_cast<int>(p), static_cast<int>(std::int64_t(cells) * n / count),
                       static_cast<int>(std::int64_t(cells) * (n + 1) / count)});
  }
  if (static_cast<int>(tiles.size()) > most_tiles)
    throw Error(fmt::format(
        "solver.subdomains = {}: the device runs {} thread blocks at once; allowed are so many subdomains or fewer",
        subdomains.size(), most_tiles));
  return tiles;
}

void check_tables(int most_streams, int most_outputs) {
  if (std::max(most_streams, most_outputs) > most_line_streams)
    throw Error(
        fmt::format("solver.subdomains: a thread block would have {} sources and {} probes' places, allowed are {}; "
                    "use fewer, more subdomains, or solver.backend = cpu",
                    most_streams, most_outputs, most_line_streams));
}

void refuse_shared_memory(int chunk, std::size_t needed, std::size_t there) {
  throw Error(
      fmt::format("solver.subdomains: chunks of {} steps with their sources and probes need {} bytes of a thread "
                  "block's shared memory, which has {}; allowed are fewer steps a "
                  "period, fewer probes in one place, or solver.backend = cpu",
                  chunk, needed, there));
}

template std::vector<TileRange> plan_tiles(const std::vector<Subdomain<float>>&, int, int);
template std::vector<TileRange> plan_tiles(const std::vector<Subdomain<double>>&, int, int);

}  // namespace dgtd::reproductions
