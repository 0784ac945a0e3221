#pragma once
// Launches of the CPU engine: threads take rows, a row is a vector loop. With kernels = diagonal threads take lines as
// the paper's GPU threads do.
#include "dgtd/hpf/kernels/diagonal_sweep.hpp"
#include "dgtd/hpf/kernels/plain_update.hpp"
#include "dgtd/parallel/copy_bandwidth.hpp"
#include "engine_on.hpp"

namespace dgtd::hpf {

class CpuBackend {
 public:
  CpuBackend(Kernels kernels, const parallel::Communicator& comm) : kernels_(kernels), comm_(comm) {}
  static constexpr bool expands_media = true;
  parallel::Memory& memory() { return parallel::host_memory(); }

  template <class Body>
  void for_each(std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }

  template <bool coupled, bool lossy, class Real>
  void advance(const PlaneView<Real>& v, int steps, const std::vector<RowDrive<Real>>& drives) const {
    if constexpr (!coupled)
      if (kernels_ == Kernels::diagonal) return sweep<lossy>(v, steps);
    const PlainUpdate<Real, coupled, lossy> update{v};
#pragma omp parallel for schedule(static)
    for (int j = 0; j < v.height; ++j) update.row(j);
    for (std::size_t d = 0; d < drives.size(); ++d)
      for_each(drives[d].last - drives[d].first, DriveNodes<Real>{v, static_cast<int>(d), 0});
    for (const int side : {2, 3, 0, 1})
      if (v.wall[side] == Wall::mur && (coupled || side >= 2))
        for_each(side < 2 ? v.height : v.width, UpdateWall<Real>{v, side});
  }

  template <class Real>
  using Exchange = parallel::HaloExchange<Real>;
  template <class Real>
  std::unique_ptr<Exchange<Real>> make_exchange(const parallel::HaloPlan& plan) const {
    return std::make_unique<Exchange<Real>>(plan, comm_);
  }
  double copy_bandwidth() const { return parallel::copy_bandwidth(); }
  template <class Real, bool coupled>
  solver::Solver::Occupancy occupancy(bool) const {
    return {};
  }
  void wait() const {}

 private:
  template <bool lossy, class Real>
  void sweep(const PlaneView<Real>& v, int steps) const {
#pragma omp parallel
    {
      std::vector<Real> work(3 * static_cast<std::size_t>(steps));
#pragma omp for schedule(static)
      for (int x = 0; x < v.width; ++x) sweep_diagonally<Real, lossy>(v, x, steps, work.data(), 1);
    }
  }
  Kernels kernels_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::hpf
