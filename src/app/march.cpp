#include "dgtd/app/march.hpp"

#include <fmt/format.h>

#include <optional>

#include "dgtd/app/progress.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/vtk_output.hpp"

namespace dgtd::app {

namespace {

// Writes the probes that this rank holds.
class Probes {
 public:
  Probes(const config::Case& c, solver::Solver& solver) {
    const int digits = c.solver.precision == config::Precision::single_precision ? io::ProbeFile::digits_single
                                                                                 : io::ProbeFile::digits_double;
    for (const auto& probe : c.probes)
      if (solver.add_probe(probe.name, probe.position, probe.origin))
        mine_.push_back(
            {probe.name, probe.every, io::ProbeFile(c.output.directory / ("probe_" + probe.name + ".csv"), digits)});
  }
  void sample(const solver::Solver& solver) {
    for (auto& probe : mine_) {
      if (solver.steps_done() % probe.every != 0) continue;
      const auto fields = solver.probe(probe.name);
      probe.file.add(double(solver.steps_done()) * solver.time_step(), fields.electric, fields.magnetic);
    }
  }

 private:
  struct Probe {
    std::string name;
    std::int64_t every;
    io::ProbeFile file;
  };
  std::vector<Probe> mine_;
};

// Steps from step n on, at least one, up to the first after which somebody looks at the fields, or before one that is
// measured or begins a new count.
std::int64_t unseen_steps(const config::Case& c, const monitor::Schedule& schedule, std::int64_t n) {
  const auto looked_at = [&](std::int64_t done) {
    for (const auto& probe : c.probes)
      if (done % probe.every == 0) return true;
    return schedule.samples_dft(done) || (c.output.every > 0 && done % c.output.every == 0);
  };
  const auto special = [&](std::int64_t step) {
    return step % schedule.energy_every == 0 || step >= schedule.steps - 1 || step == schedule.dft_first ||
           step == schedule.steps - schedule.steps_per_period;
  };
  std::int64_t count = 1;
  while (!special(n + count) && !looked_at(n + count)) ++count;
  return count;
}

}  // namespace

void march(const config::Case& c, solver::Solver& solver, const monitor::Schedule& schedule, std::int64_t elements,
           const SnapshotWriter& write_snapshot, LoopRecord& record, const parallel::Communicator& comm) {
  Probes probes(c, solver);
  monitor::EnergyMonitor energy(comm);
  Progress progress(schedule.steps, schedule.time_step, double(elements));
  std::optional<io::TimeSeries> series;
  if (c.output.every > 0 && comm.is_root()) series.emplace(c.output.directory / "snapshots.pvd");
  std::vector<double> angular;
  for (const double f : schedule.dft_frequencies) angular.push_back(2 * pi * f);
  double work_before = 0;

  for (std::int64_t n = 0; n < schedule.steps; n = solver.steps_done()) {
    if (n == schedule.dft_first && !angular.empty()) solver.start_dft(angular);
    if (n == schedule.steps - schedule.steps_per_period) work_before = solver.source_work();

    if (n % schedule.energy_every == 0 || n == schedule.steps - 1) energy.sample(solver);
    solver.advance(unseen_steps(c, schedule, n));
    const std::int64_t done = solver.steps_done();

    probes.sample(solver);
    if (schedule.samples_dft(done)) solver.accumulate_dft(schedule.dft_weight);
    if (c.output.every > 0 && done % c.output.every == 0) {
      const std::string stem = fmt::format("snapshot_{:08}", done);
      const std::string file = write_snapshot(stem);
      if (series) series->add(double(done) * schedule.time_step, c.output.directory / file);
    }
    progress.show(done, energy.samples().back().energy_J);
  }
  progress.finish();
  record.energy = energy.samples();
  record.source_work_last_period = comm.sum(solver.source_work() - work_before);
}

}  // namespace dgtd::app
