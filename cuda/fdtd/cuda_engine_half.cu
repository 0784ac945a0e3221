#include "cuda_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<Half>> make_cuda_engine<Half>(const Discretisation<float>& d, KernelFusion fusion,
                                                     parallel::Transport transport,
                                                     const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<Half, CudaBackend>>(d, fusion, std::make_unique<CudaBackend>(transport, comm));
}

}  // namespace dgtd::fdtd
