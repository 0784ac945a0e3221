#include "dgtd/observers/field_monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dgtd/io/results.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::observers {

namespace {

// sqrt(|F_x|^2 + |F_y|^2 + |F_z|^2) per cell.
std::vector<float> amplitude(const std::vector<float>& real, const std::vector<float>& imag) {
  std::vector<float> values;
  for (std::size_t i = 0; i < real.size(); i += 3) {
    double sum = 0;
    for (std::size_t j = i; j < i + 3; ++j) sum += double(real[j]) * real[j] + double(imag[j]) * imag[j];
    values.push_back(static_cast<float>(std::sqrt(sum)));
  }
  return values;
}

std::vector<io::Array> arrays_of(const physics::Monitor& monitor, solver::MonitorFields fields) {
  std::vector<io::Array> arrays;
  const auto add = [&](const std::string& name, const std::string& unit, std::vector<float>& real,
                       std::vector<float>& imag) {
    if (!monitor.keeps(name)) return;
    arrays.push_back({name + "_amplitude_" + unit, 1, amplitude(real, imag)});
    arrays.push_back({name + "_real_" + unit, 3, std::move(real)});
    arrays.push_back({name + "_imag_" + unit, 3, std::move(imag)});
  };
  add("E", "V_s_per_m", fields.electric_real, fields.electric_imag);
  add("H", "A_s_per_m", fields.magnetic_real, fields.magnetic_imag);
  return arrays;
}

io::NodeExtent nodes_of(const solver::NodeBox& box) { return {box.first, box.last}; }

}  // namespace

FieldMonitors::FieldMonitors(std::vector<physics::Monitor> monitors, solver::SpectralSolver& solver,
                             const grid::CartesianGrid& grid, double highest_source, double time_step)
    : solver_(solver), grid_(grid) {
  for (auto& monitor : monitors) {
    const std::size_t number = solver.add_monitor(monitor);
    const std::int64_t interval = physics::sampling_interval(monitor.frequencies, highest_source, time_step);
    regions_.push_back({std::move(monitor), number, interval});
  }
}

std::int64_t FieldMonitors::next(std::int64_t step) const {
  std::int64_t next = solver::never;
  for (const Region& r : regions_) next = std::min(next, solver::next_multiple(step, r.interval, 1));
  return next;
}

void FieldMonitors::observe(solver::Solver& solver) {
  for (const Region& r : regions_)
    if (solver.steps_done() % r.interval == 0)
      solver_.accumulate_monitor(r.number, double(r.interval) * solver.time_step());
}

void FieldMonitors::finish(io::Results& results) {
  for (const Region& region : regions_) write(region, results);
}

void FieldMonitors::write(const Region& region, io::Results& results) const {
  const physics::Monitor& monitor = region.monitor;
  const auto extent = solver_.monitor_extent(region.number);
  const io::NodeExtent whole = nodes_of(extent.whole), mine = nodes_of(extent.mine);
  const std::string name = "monitor_" + monitor.name;
  const bool several = monitor.frequencies.size() > 1;
  std::optional<io::TimeSeries> series;
  if (several && results.comm.is_root()) series.emplace(results.directory / (name + ".pvd"));
  for (std::size_t f = 0; f < monitor.frequencies.size(); ++f) {
    const std::string stem = several ? fmt::format("{}_{:04}", name, f + 1) : name;
    io::write_vtr(results.directory, stem, grid_, whole, extent.empty ? nullptr : &mine,
                  arrays_of(monitor, solver_.monitor_fields(region.number, f)), results.comm);
    if (series) series->add(monitor.frequencies[f], results.directory / (stem + ".pvtr"));
  }
}

}  // namespace dgtd::observers
