#include "cuda_backend.hpp"

namespace dgtd::hpf {

template <>
std::unique_ptr<Engine<float>> make_cuda_engine(const Setup& setup, const Discretisation& d,
                                                parallel::Transport transport, const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<float, CudaBackend>>(setup, d, comm,
                                                        std::make_unique<CudaBackend>(setup, transport, comm));
}

}  // namespace dgtd::hpf
