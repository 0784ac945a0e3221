#include "cuda_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<double>> make_cuda_engine<double>(const Discretisation<double>& d, KernelFusion fusion,
                                                         parallel::Transport transport,
                                                         const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<double, CudaBackend>>(d, fusion, std::make_unique<CudaBackend>(transport, comm));
}

}  // namespace dgtd::fdtd
