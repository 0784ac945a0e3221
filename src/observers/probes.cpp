#include "dgtd/observers/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

Probes::Probes(const std::vector<Probe>& probes, solver::PointFields& solver, io::ResultFiles& files, int digits)
    : solver_(solver), digits_(digits) {
  for (const Probe& probe : probes) {
    intervals_.push_back(probe.every);
    names_.push_back(probe.name);
    const auto path = files.add({"probe_" + probe.name + ".csv",
                                 io::Lifetime::grows,
                                 {},
                                 {},
                                 io::table_contents(io::ProbeFile::head, {"t_s"})});
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

namespace {

// E over time from a table of a probe: also of the run that this one continues.
std::vector<io::Curve> electric_field_in(const std::filesystem::path& table) {
  constexpr std::size_t most_points = 600;
  std::vector<io::Curve> curves{{"Ex", {}, {}}, {"Ey", {}, {}}, {"Ez", {}, {}}};
  std::ifstream file(table);
  std::string row;
  std::getline(file, row);  // the head
  while (std::getline(file, row)) {
    const char* at = row.c_str();
    const auto next = [&] {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      at = *end == ',' ? end + 1 : end;
      return value;
    };
    const double time = next();
    for (io::Curve& curve : curves) curve.x.push_back(time), curve.y.push_back(next());
  }
  for (io::Curve& curve : curves) curve = io::thinned(curve, most_points);
  return curves;
}

bool is_zero(const io::Curve& curve) {
  return std::all_of(curve.y.begin(), curve.y.end(), [](double y) { return y == 0; });
}

}  // namespace

// The curve's rank sends points, times and values of each component to root.
std::vector<io::Curve> Probes::electric_field_of(const std::string& name, const parallel::Communicator& comm) const {
  std::vector<double> mine;
  for (const Local& probe : local_)
    if (probe.name == name)
      for (const io::Curve& curve : electric_field_in(probe.path)) {
        mine.push_back(double(curve.x.size()));
        mine.insert(mine.end(), curve.x.begin(), curve.x.end());
        mine.insert(mine.end(), curve.y.begin(), curve.y.end());
      }
  const std::vector<double> all = comm.gather_vectors(mine);
  std::vector<io::Curve> curves;
  auto at = all.begin();
  for (const char* component : {"Ex", "Ey", "Ez"}) {
    if (at == all.end()) break;
    const auto points = static_cast<std::ptrdiff_t>(*at++);
    curves.push_back({component, {at, at + points}, {at + points, at + 2 * points}});
    at += 2 * points;
  }
  if (!std::all_of(curves.begin(), curves.end(), is_zero)) std::erase_if(curves, is_zero);
  return curves;
}

void Probes::finish(io::Results& results) {
  for (Local& probe : local_) open(probe), close_one_of_many(probe);  // with its head only where there was no sample
  constexpr std::size_t most_charts = 12;
  io::Section section{io::Chapter::measurements, "Probes", {}};
  for (std::size_t p = 0; p < std::min(names_.size(), most_charts); ++p)
    section.blocks.push_back(
        io::Chart{"E at probe " + names_[p], {"Time", "s"}, {"E", "V/m"}, electric_field_of(names_[p], results.comm)});
  if (names_.size() > most_charts)
    section.blocks.push_back(io::Note{
        fmt::format("The first {} of {} probes; all are in the files probe_NAME.csv.", most_charts, names_.size())});
  results.summary.sections.push_back(std::move(section));
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
