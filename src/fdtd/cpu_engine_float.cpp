#include "cpu_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<float>> make_cpu_engine(const Discretisation<float>& d, Schedule schedule,
                                               const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<float, CpuBackend>>(d, schedule, std::make_unique<CpuBackend>(d.layout, comm));
}

}  // namespace dgtd::fdtd
