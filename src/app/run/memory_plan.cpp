#include "app/run/memory_plan.hpp"

#include <algorithm>

#include "app/run/results.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/peak_memory.hpp"

namespace dgtd::app {

namespace {

// Columns and blocks of a rank that are computed while others are written, measured; or what samples them, whose
// arrays are gone while the last ones are written.
double field_file_bytes(const Problem& problem, const solver::Observers& observers,
                        const parallel::Communicator& comm) {
  constexpr double least = 12e6, most = 100e6;
  const double files = field_bytes(observers, problem.plan.steps) / comm.size();
  return files > 0 ? std::max(std::clamp(0.5 * files, least, most), problem.sampling_bytes) : 0;
}

// Powers remain while one observer after the other makes its results.
double output_bytes(const Problem& problem, const solver::Observers& observers, const parallel::Communicator& comm) {
  const bool powers = problem.powers && !problem.plan.fourier.frequencies.empty();
  double most = field_file_bytes(problem, observers, comm);
  for (const auto& observer : observers) most = std::max(most, observer->output_bytes());
  const auto exposure = powers ? problem.powers->exposure_bytes() : observers::PowerMeter::ExposureBytes{0, 0};
  return problem.host_copy_bytes + std::max(exposure.making, exposure.kept + most);
}

}  // namespace

MemoryPlan foretell_memory(const Problem& problem, const solver::Observers& observers, const Backend& backend,
                           const parallel::Communicator& comm) {
  const auto& frequencies = problem.plan.fourier.frequencies;
  const double sums = problem.solver->loop_bytes(frequencies.size());
  return_freed_memory();  // what the set-up has freed is not there for long
  const auto resident = resident_memory();
  const double loop = resident.now + (backend.cuda ? 0 : sums);
  const double output = output_bytes(problem, observers, comm);
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
