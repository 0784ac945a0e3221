#include "dgtd/observers/field_monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "dgtd/io/results.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/io/time_series.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::observers {

namespace {

// The arrays of a monitor, without values.
std::vector<io::Column> list_of(const physics::Monitor& monitor) {
  std::vector<io::Column> list;
  for (const auto& [name, unit] : {std::pair{"E", "V_s_per_m"}, std::pair{"H", "A_s_per_m"}}) {
    if (!monitor.keeps(name)) continue;
    list.push_back({fmt::format("{}_amplitude_{}", name, unit), 1});
    list.push_back({fmt::format("{}_real_{}", name, unit), 3});
    list.push_back({fmt::format("{}_imag_{}", name, unit), 3});
  }
  return list;
}

// The amplitude is sqrt(|F_x|^2 + |F_y|^2 + |F_z|^2).
io::Columns columns_of(const physics::Monitor& monitor, solver::MonitorFields fields) {
  const auto kept = std::make_shared<const solver::MonitorFields>(std::move(fields));
  return {list_of(monitor),
          [kept, electric = monitor.keeps("E"), magnetic = monitor.keeps("H")](std::size_t first, std::size_t count,
                                                                               std::span<double* const> values) {
            std::size_t next = 0;
            const auto fill = [&](const std::vector<float>& real, const std::vector<float>& imag) {
              for (std::size_t i = 0; i < 3 * count; ++i) {
                values[next + 1][i] = real[3 * first + i];
                values[next + 2][i] = imag[3 * first + i];
              }
              for (std::size_t i = 0; i < count; ++i) {
                double sum = 0;
                for (std::size_t j = 3 * i; j < 3 * i + 3; ++j)
                  sum += values[next + 1][j] * values[next + 1][j] + values[next + 2][j] * values[next + 2][j];
                values[next][i] = std::sqrt(sum);
              }
              next += 3;
            };
            if (electric) fill(kept->electric_real, kept->electric_imag);
            if (magnetic) fill(kept->magnetic_real, kept->magnetic_imag);
          },
          1};
}

io::NodeExtent nodes_of(const solver::NodeBox& box) { return {box.first, box.last}; }

}  // namespace

FieldMonitors::FieldMonitors(std::vector<physics::Monitor> monitors, solver::SpectralSolver& solver,
                             const grid::CartesianGrid& grid, double highest_source, double time_step,
                             io::FilePrecision precision, const parallel::Communicator& comm)
    : solver_(solver), grid_(grid), precision_(precision), comm_(comm) {
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

void FieldMonitors::observe(const solver::Clock& clock) {
  for (const Region& r : regions_)
    if (clock.steps % r.interval == 0) solver_.accumulate_monitor(r.number, double(r.interval) * clock.time_step);
}

void FieldMonitors::finish_fields(io::Results& results) {
  for (const Region& region : regions_) write(region, results);
}

std::vector<solver::FileSize> FieldMonitors::field_files(std::int64_t) const {
  std::vector<solver::FileSize> files;
  for (const Region& r : regions_) {
    const auto extent = solver_.monitor_extent(r.number);
    const io::NodeExtent mine = nodes_of(extent.mine);
    const io::GridFile file{
        &grid_, nodes_of(extent.whole), extent.empty ? nullptr : &mine, precision_, {list_of(r.monitor), {}, 1}};
    files.push_back({fmt::format("monitor_{}.pvtr", r.monitor.name), double(comm_.sum(io::vtr_bytes(file))),
                     static_cast<std::int64_t>(r.monitor.frequencies.size())});
  }
  return files;
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
    const io::GridFile file{&grid_, whole, extent.empty ? nullptr : &mine, precision_,
                            columns_of(monitor, solver_.monitor_fields(region.number, f))};
    results.field_bytes += io::write_vtr(results.directory, stem, file, comm_);
    if (series) series->add(monitor.frequencies[f], results.directory / (stem + ".pvtr"));
  }
}

}  // namespace dgtd::observers
