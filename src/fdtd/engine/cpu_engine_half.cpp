#include "fdtd/engine/cpu_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<Half>> make_cpu_engine<Half>(const Discretisation<float>& d, KernelFusion fusion,
                                                    const parallel::Communicator& comm,
                                                    const std::optional<CacheSizes>& caches) {
  return std::make_unique<EngineOn<Half, CpuBackend>>(d, fusion, std::make_unique<CpuBackend>(d.layout, comm, caches));
}

}  // namespace dgtd::fdtd
