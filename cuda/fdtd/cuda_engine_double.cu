#include "cuda_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<double>> make_cuda_engine(const Discretisation<double>& d, Schedule schedule,
                                                 parallel::Transport transport, const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<double, CudaBackend>>(d, schedule, std::make_unique<CudaBackend>(transport, comm));
}

}  // namespace dgtd::fdtd
