#include "cuda_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<float>> make_cuda_engine<float>(const Discretisation<float>& d, KernelFusion fusion,
                                                       parallel::Transport transport,
                                                       const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<float, CudaBackend>>(d, fusion, std::make_unique<CudaBackend>(transport, comm));
}

}  // namespace dgtd::fdtd
