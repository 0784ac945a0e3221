#pragma once
// Launches of the CPU engine: threads take tiles, a row of cells is one vector loop.
#include "dgtd/parallel/copy_bandwidth.hpp"
#include "engine_on.hpp"

namespace dgtd::fdtd {

class CpuBackend {
 public:
  CpuBackend(const GridLayout& layout, const parallel::Communicator& comm) : layout_(layout), comm_(comm) {}
  parallel::Memory& memory() { return parallel::host_memory(); }

  template <class Body>
  void for_each(Queue, std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }

  template <class Body>
  void for_tiles(Queue, const Tile* tiles, std::int64_t count, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t t = 0; t < count; ++t) {
      const Tile& tile = tiles[t];
      const int nx = std::min(tile_cells(0), layout_.cells[0] - tile.first[0]);
      const int ny = std::min(tile_cells(1), layout_.cells[1] - tile.first[1]);
      const int nz = std::min(tile_cells(2), layout_.cells[2] - tile.first[2]);
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j) {
#pragma omp simd
          for (int i = 0; i < nx; ++i) body.cell(tile, i, j, k);
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
