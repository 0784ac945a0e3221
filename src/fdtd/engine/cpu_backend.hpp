#pragma once
// CPU threads with the launches of Yee's scheme: threads take tiles, a row of cells is one vector loop.
#include <omp.h>

#include "dgtd/fdtd/kernels/update_packs.hpp"
#include "dgtd/parallel/cpu_backend.hpp"
#include "fdtd/engine/engine_on.hpp"
#include "fdtd/steps/planes/cpu_line.hpp"
#include "fdtd/steps/sweeps/cache_sizes.hpp"
#include "fdtd/steps/sweeps/sweep_size.hpp"

namespace dgtd::fdtd {

class CpuBackend : public parallel::CpuBackend {
 public:
  CpuBackend(const GridLayout& layout, const parallel::Communicator& comm, const std::optional<CacheSizes>& caches)
      : parallel::CpuBackend(comm),
        comm_(comm),
        layout_(layout),
        caches_(caches ? *caches : cache_sizes(omp_get_max_threads() * comm.ranks_on_this_host())) {}
  /// Tiles with and without absorbing layers in one pass: long runs of memory are worth a test per tile.
  static constexpr bool joins_layers = true;
  static constexpr bool one_pass = true;
  /// Cells of a row that are processed together where they are only read.
  static constexpr int cells_together = tile_cells(0);
  /// Samples of a spectrum in one vector loop: their instants stay in cache.
  static constexpr int samples_together = 256;

  // Tiles that follow each other along x are taken together, row by row: memory is read in long runs.
  template <class Body>
  void for_tiles(Queue, const Tile* tiles, std::int64_t count, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t first = 0; first < count; ++first) {
      if (first > 0 && continues(tiles[first - 1], tiles[first])) continue;
      const int nz = std::min(tile_cells(2), layout_.cells[2] - tiles[first].first[2]);
      for (int k = 0; k < nz; ++k) run(tiles + first, tiles + count, k, {0, layout_.cells[1]}, body);
    }
  }

  // Rows of a plane of a layer of tiles, on this thread.
  template <class Body>
  void for_plane(const Tile* tiles, std::int64_t count, int k, const Range& rows, const Body& body) const {
    for (const Tile* first = tiles; first < tiles + count;) first = run(first, tiles + count, k, rows, body);
  }

  /// body(i) for i from 0 to n - 1, each on one thread.
  template <class Body>
  void for_chunks(int n, const Body& body) const {
#pragma omp parallel for schedule(static, 1) if (n > 1)
    for (int i = 0; i < n; ++i) body(i);
  }

  /// magnetic(k) and electric(k) for all planes, such that electric(k) follows magnetic(k) and magnetic(k - 1) and
  /// precedes neither.
  template <class Magnetic, class Electric>
  void sweep(int planes, const Magnetic& magnetic, const Electric& electric) const {
#pragma omp parallel
    {
      const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
      const int first = planes * thread / threads, end = planes * (thread + 1) / threads;
      if (first < end) magnetic(end - 1);
#pragma omp barrier
      for (int k = first; k < end; ++k) {
        if (k < end - 1) magnetic(k);
        electric(k);
      }
    }
  }

  /// Most steps of a sweep (sweep_size.hpp), the same on all ranks; collective. bytes: of the engine's arrays.
  int most_steps_of_sweep(double bytes, std::string& why) const {
    SweepDomain domain = sweep_domain(bytes);
    domain.planes = static_cast<int>(comm_.min(std::int64_t{domain.planes}));
    return static_cast<int>(comm_.min(std::int64_t{fdtd::most_steps_of_sweep(domain, caches_, why)}));
  }
  SkewedSweep sweep_of(const grid::Block& block, int steps, double bytes) const {
    SkewedSweep sweep = fdtd::sweep_of(sweep_domain(bytes), caches_, steps);
    sweep.open_below = block.lower[2] >= 0, sweep.open_above = block.upper[2] >= 0;
    return sweep;
  }

  template <PlaneFields fields, int steps, bool layered, bool mixed, class Real>
  void for_strips(const PlaneView<Real>& v, const PlaneTask* tasks, std::int64_t count) const {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t i = 0; i < count; ++i)
      PlaneTemporalBlocking<CpuLine<Real>, fields, steps, layered, mixed>(v, tasks[i]).run();
  }
  /// Some tasks per thread, tall ones.
  int rows_a_task(int strips, int rows, int) const {
    const int chunks = std::max(1, 8 * omp_get_max_threads() / strips);
    return std::max(64, (rows + chunks - 1) / chunks);
  }

  template <class Body>
  solver::Solver::Occupancy occupancy() const {
    return {};
  }

 private:
  static bool continues(const Tile& before, const Tile& tile) {
    return tile.first[0] == before.first[0] + tile_cells(0) && tile.first[1] == before.first[1] &&
           tile.first[2] == before.first[2];
  }
  // Rows of plane k of the tiles that follow each other along x from `first` on; returns the tile after them.
  template <class Body>
  const Tile* run(const Tile* first, const Tile* last, int k, const Range& rows, const Body& body) const {
    const Tile* end = first + 1;
    while (end < last && continues(end[-1], *end)) ++end;
    const int row = first->first[1], ny = std::min(tile_cells(1), layout_.cells[1] - row);
    for (int j = std::max(0, rows.first - row); j < std::min(ny, rows.end - row); ++j)
      for (const Tile* t = first; t < end; ++t) {
        const int nx = layout_.cells[0] - t->first[0];
        if (nx >= tile_cells(0)) update_row(body, *t, j, k);
        else
          for (int i = 0; i < nx; i += 8) body.template cells<8>(*t, i, j, k);
      }
    return end;
  }
  SweepDomain sweep_domain(double bytes) const {
    return {layout_.cells[2], layout_.cells[1], bytes / layout_.cells[2], omp_get_max_threads()};
  }

  const parallel::Communicator& comm_;
  GridLayout layout_;
  CacheSizes caches_;
};

}  // namespace dgtd::fdtd
