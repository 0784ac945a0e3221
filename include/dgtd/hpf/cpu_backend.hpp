#pragma once
// CPU threads with the launches of potentials: threads take rows, a row is a vector loop.
#include "dgtd/hpf/engine_on.hpp"
#include "dgtd/hpf/kernels/plain_update.hpp"
#include "dgtd/parallel/cpu_backend.hpp"

namespace dgtd::hpf {

class CpuBackend : public parallel::CpuBackend {
 public:
  using parallel::CpuBackend::CpuBackend;
  static constexpr bool expands_media = true;
  template <class Real>
  int steps_at_once(const Setup& setup) const {
    return hpf::steps_at_once(setup, false);
  }

  template <bool coupled, bool lossy, class Real>
  void advance(const PlaneView<Real>& v, int, const std::vector<RowSource<Real>>& sources) const {
    const PlainUpdate<Real, coupled, lossy> update{v};
#pragma omp parallel for schedule(static)
    for (int j = 0; j < v.height; ++j) update.row(j);
    for (std::size_t d = 0; d < sources.size(); ++d)
      for_each(sources[d].last - sources[d].first, AddSource<Real>{v, static_cast<int>(d), 0});
    for (const int side : {2, 3, 0, 1})
      if (v.wall[side] == Boundary::mur && (coupled || side >= 2))
        for_each(side < 2 ? v.height : v.width, UpdateWall<Real>{v, side});
  }

  template <class Real, bool coupled>
  solver::Solver::Occupancy occupancy(bool) const {
    return {};
  }
};

}  // namespace dgtd::hpf
