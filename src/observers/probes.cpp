#include "dgtd/observers/probes.hpp"

#include <algorithm>

namespace dgtd::observers {

Probes::Probes(const std::vector<Probe>& probes, solver::PointFields& solver, io::ResultFiles& files, int digits)
    : solver_(solver), digits_(digits) {
  for (const Probe& probe : probes) {
    intervals_.push_back(probe.every);
    const auto path = files.add({"probe_" + probe.name + ".csv", io::Lifetime::grows});
    if (solver.add_probe(probe.name, probe.position, probe.origin))
      local_.push_back({probe.name, path, probe.every, 0, {}});
  }
}

std::int64_t Probes::next(std::int64_t step) const {
  std::int64_t next = solver::never;
  for (const std::int64_t interval : intervals_) next = std::min(next, solver::next_multiple(step, interval, 1));
  return next;
}

void Probes::open(Local& probe) {
  if (!probe.file) probe.file.emplace(probe.path, digits_, probe.bytes);
}

// Closes the file if there are many, so that none stays open: a process may have 1024 of them on some systems.
void Probes::close_one_of_many(Local& probe) const {
  constexpr std::size_t many = 100;
  if (local_.size() > many) probe.file->close();
}

void Probes::observe(const solver::Clock& clock) {
  solver_.refresh_probes();
  for (Local& probe : local_) {
    if (clock.steps % probe.every != 0) continue;
    open(probe);
    const auto fields = solver_.probe(probe.name);
    probe.file->add(clock.electric_time(), fields.electric, fields.magnetic);
    close_one_of_many(probe);
  }
}

void Probes::finish(io::Results&) {
  for (Local& probe : local_) open(probe), close_one_of_many(probe);  // with its head only where there was no sample
}

solver::State Probes::save() const {
  solver::State state;
  for (Local& probe : local_) {
    if (probe.file) probe.file->sync(), close_one_of_many(probe);
    state.set_numbers(probe.name, {double(probe.file ? probe.file->bytes() : probe.bytes)},
                      solver::State::Held::by_owner);
  }
  return state;
}

void Probes::load(const solver::State& state, std::int64_t) {
  for (Local& probe : local_)
    if (state.has(probe.name)) probe.bytes = static_cast<std::int64_t>(state.numbers(probe.name).at(0));
}

}  // namespace dgtd::observers
