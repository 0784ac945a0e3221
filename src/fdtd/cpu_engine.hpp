#pragma once
// Launches of the CPU engine: threads take tiles, a row of cells is one vector loop.
#include "dgtd/parallel/copy_bandwidth.hpp"
#include "engine_on.hpp"

namespace dgtd::fdtd {

class CpuBackend {
 public:
  CpuBackend(const GridLayout& layout, const parallel::Communicator& comm) : layout_(layout), comm_(comm) {}
  /// Tiles with and without absorbing layers in one pass: long runs of memory are worth a question a tile.
  static constexpr bool joins_layers = true;
  parallel::Memory& memory() { return parallel::host_memory(); }

  template <class Body>
  void for_each(Queue, std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }

  // Tiles that follow each other along x are taken together, row by row: memory is read in long runs.
  template <class Body>
  void for_tiles(Queue, const Tile* tiles, std::int64_t count, const Body& body) const {
    const auto continues = [&](std::int64_t t) {
      const Tile &before = tiles[t - 1], &tile = tiles[t];
      return tile.first[0] == before.first[0] + tile_cells(0) && tile.first[1] == before.first[1] && tile.first[2] == before.first[2];
    };
#pragma omp parallel for schedule(static)
    for (std::int64_t first = 0; first < count; ++first) {
      if (first > 0 && continues(first)) continue;
      std::int64_t end = first + 1;
      while (end < count && continues(end)) ++end;
      const int ny = std::min(tile_cells(1), layout_.cells[1] - tiles[first].first[1]);
      const int nz = std::min(tile_cells(2), layout_.cells[2] - tiles[first].first[2]);
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (std::int64_t t = first; t < end; ++t) {
            const int nx = layout_.cells[0] - tiles[t].first[0];
            // A whole row's length is known to the compiler.
            if (nx >= tile_cells(0)) body.template cells<tile_cells(0)>(tiles[t], 0, j, k, tile_cells(0));
            else body.template cells<tile_cells(0)>(tiles[t], 0, j, k, nx);
          }
    }
  }

  template <class Real>
  using Exchange = parallel::HaloExchange<Real>;
  template <class Real>
  std::unique_ptr<Exchange<Real>> make_exchange(const parallel::HaloPlan& plan) const { return std::make_unique<Exchange<Real>>(plan, comm_); }
  void halo_waits() const {}
  void main_waits() const {}
  double copy_bandwidth() const { return parallel::copy_bandwidth(); }
  template <class Body>
  physics::FieldSolver::Occupancy occupancy() const { return {}; }
  void wait() const {}

 private:
  GridLayout layout_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::fdtd
