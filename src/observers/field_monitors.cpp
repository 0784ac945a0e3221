#include "dgtd/observers/field_monitors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>

#include "dgtd/io/results.hpp"
#include "dgtd/io/time_series.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::observers {

namespace {

// The arrays of a monitor, without values.
std::vector<io::Column> list_of(const physics::Monitor& monitor, bool peak) {
  std::vector<io::Column> list;
  const auto add = [&](const char* field, const auto& name) {
    if (!monitor.keeps(field)) return;
    list.push_back({name("amplitude", peak, ""), 1});
    list.push_back({name("real", peak, ""), 3});
    list.push_back({name("imag", peak, ""), 3});
  };
  add("E", electric_name);
  add("H", magnetic_name);
  return list;
}

// The amplitude is sqrt(|F_x|^2 + |F_y|^2 + |F_z|^2).
void fill(const solver::RegionSums& sums, std::size_t first, std::size_t count, std::span<double* const> values) {
  std::size_t next = 0;
  for (const auto* field : {&sums.electric, &sums.magnetic}) {
    if (!*field) continue;
    double *const amplitude = values[next], *const real = values[next + 1], *const imag = values[next + 2];
    (*field)(first, count, real, imag);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t j = 3 * i; j < 3 * i + 3; ++j) sum += real[j] * real[j] + imag[j] * imag[j];
      amplitude[i] = std::sqrt(sum);
    }
    next += 3;
  }
}

/// A monitor's file but for its values.
struct RegionFile {
  RegionFile(const physics::Monitor& monitor, const solver::RegionCells& cells, bool peak, io::FilePrecision precision)
      : mine{cells.mine.first, cells.mine.last},
        file{cells.grid,
             {cells.whole.first, cells.whole.last},
             cells.empty ? nullptr : &mine,
             precision,
             {list_of(monitor, peak), {}, 1}} {}
  RegionFile(const RegionFile&) = delete;

  io::NodeExtent mine;
  io::GridFile file;
};

}  // namespace

FieldMonitors::FieldMonitors(std::vector<physics::Monitor> monitors, solver::RegionSpectra& spectra,
                             io::FilePrecision precision, const parallel::Communicator& comm)
    : RegionObserver(spectra), precision_(precision), comm_(comm) {
  for (auto& monitor : monitors) {
    const std::size_t number = add(monitor);
    regions_.push_back({std::move(monitor), number});
  }
}

// Phasors are those of the last period.
bool FieldMonitors::has_fields(const io::Results& results) const {
  return !spectra().are_phasors() || results.summary.interruption.empty();
}

void FieldMonitors::finish(io::Results& results) {
  if (!pictures_ || !has_fields(results)) return;
  for (const Region& region : regions_)
    if (auto shown = pictures_->section(region.monitor, region.number, spectra()); !shown.blocks.empty())
      results.summary.sections.push_back(std::move(shown));
}

void FieldMonitors::finish_fields(io::Results& results) {
  if (!has_fields(results)) return;
  for (const Region& region : regions_) write(region, results);
}

std::vector<solver::FileSize> FieldMonitors::field_files(std::int64_t) const {
  std::vector<solver::FileSize> files;
  for (const Region& r : regions_) {
    const RegionFile of(r.monitor, spectra().samples(r.number).cells, spectra().are_phasors(), precision_);
    files.push_back({fmt::format("monitor_{}.pvtr", r.monitor.name), double(comm_.sum(io::vtr_bytes(of.file))),
                     static_cast<std::int64_t>(r.monitor.frequencies.size())});
  }
  return files;
}

void FieldMonitors::write(const Region& region, io::Results& results) const {
  const physics::Monitor& monitor = region.monitor;
  const std::string name = "monitor_" + monitor.name;
  const bool several = monitor.frequencies.size() > 1;
  std::optional<io::TimeSeries> series;
  const std::string series_name = several ? name + ".pvd" : "";
  if (several && comm_.is_root())
    series.emplace(results.files.add({series_name, io::Lifetime::at_end, {}, {}, {{{"frequency_Hz", "Hz"}}}}));
  for (std::size_t f = 0; f < monitor.frequencies.size(); ++f) {
    const std::string stem = several ? fmt::format("{}_{:04}", name, f + 1) : name;
    RegionFile of(monitor, spectra().samples(region.number).cells, spectra().are_phasors(), precision_);
    of.file.cell.fill = [sums = spectra().sums(region.number, f)](std::size_t first, std::size_t count,
                                                                  std::span<double* const> values) {
      fill(sums, first, count, values);
    };
    results.field_bytes += io::write_vtr({results.files, stem, io::Lifetime::at_end, series_name}, of.file, comm_);
    if (series) series->add(monitor.frequencies[f], results.files.directory() / (stem + ".pvtr"));
  }
}

}  // namespace dgtd::observers
