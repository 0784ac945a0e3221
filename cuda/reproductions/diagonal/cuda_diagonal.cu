#include "../../parallel/cuda_backend.hpp"
#include "dgtd/hpf/engine_on.hpp"
#include "dgtd/reproductions/diagonal/diagonal.hpp"
#include "dgtd/reproductions/kernels/diagonal_sweep.hpp"

namespace dgtd::reproductions {

namespace {

/// A thread per line, blocks of lines side by side (a slice of the paper each). Dynamic shared memory:
/// [3][steps][threads].
template <class Real, bool lossy>
__global__ void diagonal_kernel(const hpf::PlaneView<Real> v, int steps) {
  extern __shared__ unsigned char shared[];
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (x < v.width)
    sweep_diagonally<Real, lossy>(v, x, steps, reinterpret_cast<Real*>(shared) + threadIdx.x, int(blockDim.x));
}

class DiagonalCudaBackend final : public parallel::CudaBackend {
 public:
  DiagonalCudaBackend(int block_size, parallel::Transport transport, const parallel::Communicator& comm)
      : parallel::CudaBackend(transport, comm), block_size_(block_size) {}
  static constexpr bool expands_media = false;
  template <class Real>
  int steps_at_once(const hpf::Setup& setup) const {
    return diagonal_steps(setup, sizeof(Real) == 4);
  }
  template <bool coupled, bool lossy, class Real>
  void advance(const hpf::PlaneView<Real>& v, int steps, const std::vector<hpf::RowSource<Real>>&) const {
    const int threads = block_size_;
    const auto bytes = 3 * sizeof(Real) * std::size_t(steps) * threads;
    if (bytes > 48 * 1024)
      DGTD_CUDA_CHECK(cudaFuncSetAttribute(diagonal_kernel<Real, lossy>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(bytes)));
    diagonal_kernel<Real, lossy>
        <<<static_cast<unsigned>((v.width + threads - 1) / threads), threads, bytes, stream(parallel::Queue::main)>>>(
            v, steps);
    DGTD_CUDA_CHECK_LAUNCH();
  }
  template <class Real, bool coupled>
  solver::Solver::Occupancy occupancy(bool) const {
    const auto o =
        parallel::kernel_occupancy(reinterpret_cast<const void*>(&diagonal_kernel<Real, false>), block_size_);
    return {o.registers, o.resident};
  }

 private:
  int block_size_;
};

}  // namespace

template <class Real>
std::unique_ptr<hpf::Engine<Real>> make_cuda_diagonal_engine(const hpf::Setup& setup, int block_size,
                                                             const hpf::Discretisation& d,
                                                             parallel::Transport transport,
                                                             const parallel::Communicator& comm) {
  return std::make_unique<hpf::EngineOn<Real, DiagonalCudaBackend>>(
      setup, d, comm, std::make_unique<DiagonalCudaBackend>(block_size, transport, comm));
}

template std::unique_ptr<hpf::Engine<float>> make_cuda_diagonal_engine(const hpf::Setup&, int,
                                                                       const hpf::Discretisation&, parallel::Transport,
                                                                       const parallel::Communicator&);
template std::unique_ptr<hpf::Engine<double>> make_cuda_diagonal_engine(const hpf::Setup&, int,
                                                                        const hpf::Discretisation&, parallel::Transport,
                                                                        const parallel::Communicator&);

}  // namespace dgtd::reproductions
