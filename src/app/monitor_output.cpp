#include "dgtd/app/monitor_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "dgtd/io/vtk_grid.hpp"

namespace dgtd::app {

namespace {

// sqrt(|F_x|^2 + |F_y|^2 + |F_z|^2) a cell.
std::vector<float> amplitude(const std::vector<float>& real, const std::vector<float>& imag) {
  std::vector<float> values;
  for (std::size_t i = 0; i < real.size(); i += 3) {
    double sum = 0;
    for (std::size_t j = i; j < i + 3; ++j) sum += double(real[j]) * real[j] + double(imag[j]) * imag[j];
    values.push_back(static_cast<float>(std::sqrt(sum)));
  }
  return values;
}

std::vector<io::Array> arrays_of(const config::Monitor& monitor, fdtd::MonitorFields fields) {
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

io::NodeExtent nodes_of(const fdtd::NodeBox& box) { return {box.first, box.last}; }

}  // namespace

void write_monitors(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm) {
  if (c.monitors.empty()) return;
  const auto& solver = *problem.powers;
  for (std::size_t m = 0; m < c.monitors.size(); ++m) {
    const auto& monitor = c.monitors[m];
    const auto extent = solver.monitor_extent(m);
    const io::NodeExtent whole = nodes_of(extent.whole), mine = nodes_of(extent.mine);
    const std::string name = "monitor_" + monitor.name;
    const bool several = monitor.frequencies.size() > 1;
    std::optional<io::TimeSeries> series;
    if (several && comm.is_root()) series.emplace(c.output.directory / (name + ".pvd"));
    for (std::size_t f = 0; f < monitor.frequencies.size(); ++f) {
      const std::string stem = several ? fmt::format("{}_{:04}", name, f + 1) : name;
      io::write_vtr(c.output.directory, stem, solver.grid(), whole, extent.empty ? nullptr : &mine,
                    arrays_of(monitor, solver.monitor_fields(m, f)), comm);
      if (series) series->add(monitor.frequencies[f], c.output.directory / (stem + ".pvtr"));
    }
  }
}

}  // namespace dgtd::app
