#include "dgtd/reproductions/diagonal/diagonal.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/hpf/cpu_backend.hpp"
#include "dgtd/reproductions/kernels/diagonal_sweep.hpp"

namespace dgtd::reproductions {

int diagonal_steps(const hpf::Setup& setup, bool single_precision) {
  if (setup.stencil != hpf::Stencil::line) throw Error("solver.kernels = diagonal: requires stencil = line");
  const int steps = setup.block_timesteps > 0 ? setup.block_timesteps : single_precision ? 18 : 8;  // the paper's best
  if (steps > most_diagonal_steps)
    throw Error(
        fmt::format("solver.block_timesteps = {}: with kernels = diagonal at most {}", steps, most_diagonal_steps));
  return steps;
}

namespace {

/// Threads take lines as the paper's GPU threads do.
class DiagonalCpuBackend final : public parallel::CpuBackend {
 public:
  using parallel::CpuBackend::CpuBackend;
  static constexpr bool expands_media = false;
  template <class Real>
  int steps_at_once(const hpf::Setup& setup) const {
    return diagonal_steps(setup, sizeof(Real) == 4);
  }
  template <bool coupled, bool lossy, class Real>
  void advance(const hpf::PlaneView<Real>& v, int steps, const std::vector<hpf::RowSource<Real>>&) const {
#pragma omp parallel
    {
      std::vector<Real> work(3 * static_cast<std::size_t>(steps));
#pragma omp for schedule(static)
      for (int x = 0; x < v.width; ++x) sweep_diagonally<Real, lossy>(v, x, steps, work.data(), 1);
    }
  }
  template <class Real, bool coupled>
  solver::Solver::Occupancy occupancy(bool) const {
    return {};
  }
};

}  // namespace

template <class Real>
std::unique_ptr<hpf::Engine<Real>> make_cpu_diagonal_engine(const hpf::Setup& setup, const hpf::Discretisation& d,
                                                            const parallel::Communicator& comm) {
  return std::make_unique<hpf::EngineOn<Real, DiagonalCpuBackend>>(setup, d, comm,
                                                                   std::make_unique<DiagonalCpuBackend>(comm));
}

template std::unique_ptr<hpf::Engine<float>> make_cpu_diagonal_engine(const hpf::Setup&, const hpf::Discretisation&,
                                                                      const parallel::Communicator&);
template std::unique_ptr<hpf::Engine<double>> make_cpu_diagonal_engine(const hpf::Setup&, const hpf::Discretisation&,
                                                                       const parallel::Communicator&);

}  // namespace dgtd::reproductions
