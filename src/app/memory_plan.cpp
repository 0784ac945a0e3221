#include "dgtd/app/memory_plan.hpp"

#include <algorithm>

#include "dgtd/base/log.hpp"
#include "dgtd/base/peak_memory.hpp"

namespace dgtd::app {

namespace {

constexpr double of_field_files = 12e6;  // columns and blocks that are computed while others are written
constexpr double of_powers = 40;         // per element: means of |E|^2, conductivities, SAR

double output_bytes(const Problem& problem, const parallel::Communicator& comm) {
  const bool powers = problem.powers && !problem.plan.fourier.frequencies.empty();
  return of_field_files + (powers ? of_powers * double(problem.elements) / comm.size() : 0);
}

}  // namespace

MemoryPlan foretell_memory(const Problem& problem, const Backend& backend, const parallel::Communicator& comm) {
  const auto& frequencies = problem.plan.fourier.frequencies;
  const double sums = problem.solver->loop_bytes(frequencies.size());
  const auto resident = resident_memory();
  const double loop = resident.now + (backend.cuda ? 0 : sums);
  const double output = output_bytes(problem, comm);
  return {comm.max(std::max(resident.peak, loop + output)),
          backend.cuda ? comm.max(problem.solver->memory_bytes() + sums) : 0};
}

void check_memory(const MemoryPlan& plan, const Backend& backend, const parallel::Communicator& comm) {
  if (backend.cuda)
    log::info("memory per rank: {:.3g} GB of the host, {:.3g} GB of the device", plan.host / 1e9, plan.device / 1e9);
  else log::info("memory per rank: {:.3g} GB", plan.host / 1e9);
  check_host_memory(plan.host, comm, "fewer elements or cells, fewer frequencies, or single precision");
}

}  // namespace dgtd::app
