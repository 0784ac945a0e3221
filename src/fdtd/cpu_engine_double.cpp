#include "cpu_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<double>> make_cpu_engine(const Discretisation<double>& d, KernelFusion fusion,
                                                const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<double, CpuBackend>>(d, fusion, std::make_unique<CpuBackend>(d.layout, comm));
}

}  // namespace dgtd::fdtd
