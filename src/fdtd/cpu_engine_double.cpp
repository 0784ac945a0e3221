#include "cpu_backend.hpp"

namespace dgtd::fdtd {

template <>
std::unique_ptr<Engine<double>> make_cpu_engine(const Discretisation<double>& d, Schedule schedule,
                                                const parallel::Communicator& comm) {
  return std::make_unique<EngineOn<double, CpuBackend>>(d, schedule, std::make_unique<CpuBackend>(d.layout, comm));
}

}  // namespace dgtd::fdtd
