#include "dgtd/hpf/cpu_backend.hpp"

namespace dgtd::hpf {

template <>
std::unique_ptr<Engine<float>> make_cpu_engine(const Setup& setup, const Discretisation& d,
                                               const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<float, CpuBackend>>(setup, d, comm, std::make_unique<CpuBackend>(comm));
}

}  // namespace dgtd::hpf
