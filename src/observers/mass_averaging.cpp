#include "dgtd/observers/mass_averaging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/io/voxel_file.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "place_texts.hpp"

namespace dgtd::observers {

std::vector<VoxelTissue> voxel_tissues(const dosimetry::VoxelGrid& grid, const std::vector<dosimetry::TissueRow>& rows,
                                       const std::vector<double>& factors) {
  std::vector<VoxelTissue> all(rows.size());
  for (std::int64_t v = 0; v < grid.cells(); ++v) {
    const auto n = static_cast<std::size_t>(v);
    if (!(grid.density[n] > 0)) continue;
    const auto at = grid.at(v);
    double volume = 1;
    for (int a = 0; a < 3; ++a) volume *= grid.nodes[a][at[a] + 1] - grid.nodes[a][at[a]];
    VoxelTissue& tissue = all[grid.tissue[n]];
    ++tissue.voxels;
    tissue.mass_kg += grid.density[n] * volume;
    tissue.absorbed_W += double(grid.sar[n]) * grid.density[n] * volume;
  }
  std::vector<VoxelTissue> tissues;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].mass_kg <= 0) continue;
    all[t].name = rows[t].name;
    if (!factors.empty()) all[t].power_factor = factors[t];
    tissues.push_back(std::move(all[t]));
  }
  return tissues;
}

std::vector<VoxelTissue> conserve_power(dosimetry::VoxelGrid& grid, const std::vector<dosimetry::TissueRow>& rows) {
  auto tissues = voxel_tissues(grid, rows);
  std::vector<double> factors(grid.tissue_names.size() + 1, 1);  // the last: background
  auto tissue = tissues.begin();
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].mass_kg <= 0) continue;
    if (tissue->absorbed_W > 0) tissue->power_factor = factors[t] = rows[t].absorbed_W / tissue->absorbed_W;
    tissue->absorbed_W *= tissue->power_factor;
    ++tissue;
  }
  const std::int64_t cells = grid.cells();
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < cells; ++v) {
    const auto n = static_cast<std::size_t>(v);
    grid.sar[n] = static_cast<float>(grid.sar[n] * factors[grid.tissue[n]]);
  }
  return tissues;
}

namespace {

// Tissues that voxels represent badly.
void warn_of(const VoxelFigures& figures) {
  constexpr double noticeable = 0.2;
  const char *const whole = figures.is_sampled ? "the elements" : "the tissue", *const cure =
                                                                                    figures.is_sampled
                                                                                        ? "a smaller sar.voxel"
                                                                                        : "smaller cells";
  for (const auto& t : figures.tissues)
    if (t.voxels == 0) log::warn("{}: no voxel has its centre there, so averaged SAR lacks it ({})", t.name, cure);
    else if (std::abs(t.power_factor - 1) > noticeable)
      log::warn("{}: its SAR on voxels was multiplied by {:.3g} so that the power is that of {} ({})", t.name,
                t.power_factor, whole, cure);
}

using dosimetry::VoxelStatus;
using io::Value;

std::int64_t voxels_in(const dosimetry::MassAverage& average, VoxelStatus status) {
  return average.voxels_in[static_cast<std::size_t>(status)];
}

// The peak in summary.json: status and orientation as numbers.
Value summary_value(const dosimetry::PeakAverage& peak) {
  const bool has_cube = peak.orientation != dosimetry::Orientation::none;
  return Value::Object{{"sar", peak.sar},
                       {"at", peak.at},
                       {"status", static_cast<int>(peak.status)},
                       {"tissue", peak.tissue.empty() ? Value() : Value(peak.tissue)},
                       {"orientation", static_cast<int>(peak.orientation)},
                       {"side_m", has_cube ? Value(peak.side) : Value()},
                       {"cube", has_cube ? Value(Value::List{peak.lower, peak.upper}) : Value()}};
}

Value report_value(const dosimetry::PeakAverage& peak) {
  const bool has_cube = peak.orientation != dosimetry::Orientation::none;  // else it is of a used voxel
  const auto of_cube = [&](Value value) { return has_cube ? std::move(value) : Value(); };
  return Value::Object{{"sar_W_per_kg", peak.sar},
                       {"tissue", peak.tissue},
                       {"at_m", peak.at},
                       {"side_m", of_cube(peak.side)},
                       {"orientation", of_cube(dosimetry::name_of(peak.orientation))},
                       {"cube_lower_m", of_cube(peak.lower)},
                       {"cube_upper_m", of_cube(peak.upper)}};
}

// "10 g", with a space that does not break.
std::string grams(const dosimetry::MassAverage& average) { return fmt::format("{:.6g}\u00a0g", average.mass_kg * 1e3); }

units::Unit unit_of_peaks(const std::vector<dosimetry::MassAverage>& averages) {
  std::vector<Vec3> places;
  for (const auto& average : averages) {
    if (average.peak) places.push_back(average.peak->at);
    for (const auto& peak : average.of_tissues) places.push_back(peak.at);
  }
  return unit_of_places(places);
}

io::Table peak_table(const std::vector<dosimetry::MassAverage>& averages) {
  const units::Unit unit = unit_of_peaks(averages);
  io::Table table;
  table.columns = {{"Mass"},
                   {"Peak [W/kg]"},
                   {"in", true},
                   {fmt::format("at [{}]", unit.name)},
                   {"Side of the cube"},
                   {"Cube", true},
                   {"Voxels valid, used, unused, without a cube"}};
  for (const auto& average : averages) {
    if (!average.peak) {
      table.rows.push_back({{grams(average), "no cube of this mass fits into the model"}});
      continue;
    }
    const auto& peak = *average.peak;
    std::string counts;
    for (const auto status : {VoxelStatus::valid, VoxelStatus::used, VoxelStatus::unused, VoxelStatus::no_cube})
      counts += (counts.empty() ? "" : ", ") + io::count(voxels_in(average, status));
    table.rows.push_back({{grams(average), io::number(peak.sar), peak.tissue, place_text(peak.at, unit),
                           units::length_text(peak.side), std::string(dosimetry::name_of(peak.orientation)), counts}});
  }
  return table;
}

// The peaks of each tissue that has one, over all masses.
io::Table tissue_table(const std::vector<dosimetry::MassAverage>& averages,
                       const std::vector<dosimetry::TissueRow>& tissues) {
  const units::Unit unit = unit_of_peaks(averages);
  io::Table table;
  table.columns = {{"Tissue"}};
  for (const auto& average : averages) {
    table.columns.push_back({fmt::format("Peak over {} [W/kg]", grams(average))});
    table.columns.push_back({fmt::format("at [{}]", unit.name)});
  }
  for (const auto& tissue : tissues) {
    io::Table::Row row{{tissue.name}};
    bool has_peak = false;
    for (const auto& average : averages) {
      const auto peak = std::find_if(average.of_tissues.begin(), average.of_tissues.end(),
                                     [&](const auto& p) { return p.tissue == tissue.name; });
      const bool found = peak != average.of_tissues.end();
      has_peak = has_peak || found;
      row.cells.push_back(found ? io::number(peak->sar) : io::absent);
      row.cells.push_back(found ? place_text(peak->at, unit) : io::absent);
    }
    if (has_peak) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

io::Value summary_value(const dosimetry::MassAverage& average) {
  Value tissues = Value::Object{};
  for (const auto& peak : average.of_tissues) tissues[peak.tissue] = summary_value(peak);
  return Value::Object{{"mass_kg", average.mass_kg},
                       {"peak", average.peak ? summary_value(*average.peak) : Value()},
                       {"tissues", tissues},
                       {"voxels", Value::Object{{"valid", voxels_in(average, VoxelStatus::valid)},
                                                {"used", voxels_in(average, VoxelStatus::used)},
                                                {"unused", voxels_in(average, VoxelStatus::unused)},
                                                {"no_cube", voxels_in(average, VoxelStatus::no_cube)}}}};
}

io::Value report_value(const dosimetry::MassAverage& average) {
  Value tissues = Value::Object{};
  for (const auto& peak : average.of_tissues) tissues[peak.tissue] = report_value(peak);
  return Value::Object{{"mass_kg", average.mass_kg},
                       {"peak", average.peak ? report_value(*average.peak) : Value()},
                       {"of_tissues", tissues}};
}

void add_averages(io::Summary& s, const dosimetry::Exposure& exposure, const io::AveragedVoxels& voxels,
                  const VoxelFigures& figures) {
  Value by_mass = Value::Object{};
  Value::List list;
  for (const auto& average : voxels.peaks) {
    by_mass[dosimetry::mass_text(average.mass_kg)] = summary_value(average);
    list.push_back(report_value(average));
  }
  s.keys["sar_averages"] = std::move(by_mass);
  s.report["mass_averages"] = std::move(list);
  Value tissues = Value::Object{};
  for (const auto& t : figures.tissues)
    tissues[t.name] = Value::Object{
        {"voxels", t.voxels}, {"mass_kg", t.mass_kg}, {"absorbed_W", t.absorbed_W}, {"power_factor", t.power_factor}};
  const auto& grid = voxels.grid;
  const bool are_cubes = grid.is_uniform();
  const double edge = are_cubes ? (grid.nodes[0].back() - grid.nodes[0].front()) / double(grid.cells(0)) : 0;
  s.keys["sar_voxels"] = Value::Object{{"cells", Value::List{grid.cells(0), grid.cells(1), grid.cells(2)}},
                                       {"edge_m", are_cubes ? Value(edge) : Value()},
                                       {"tissues", tissues}};
  std::string note = fmt::format("Averages over cubes, {}.", dosimetry::power_text(exposure.scaling));
  if (are_cubes) note += fmt::format(" Voxels of {}.", units::length_text(edge));
  note += figures.is_sampled
              ? " SAR was sampled on them and multiplied per tissue, so that its power is that of the elements:"
              : " The SAR of cells was multiplied per tissue, so that its power is that of the tissue:";
  for (const auto& tissue : figures.tissues)
    note +=
        fmt::format(" {} {:.4f}{}", tissue.name, tissue.power_factor, &tissue == &figures.tissues.back() ? "." : ",");
  s.sections.push_back({io::Chapter::dosimetry,
                        "Averaged SAR (IEC/IEEE 62704-1)",
                        {peak_table(voxels.peaks), tissue_table(voxels.peaks, exposure.tissues), io::Note{note}},
                        dosimetry::format_peaks(voxels.peaks)});
}

AveragedExposure averaged_exposure(const PowerMeter& meter, const dosimetry::Exposure& exposure,
                                   const MassAveragingSettings& settings, const parallel::Communicator& comm) {
  VoxelSar sampled = meter.voxels(exposure);
  AveragedExposure result;
  parallel::root_or_throw(comm, [&] {
    result.voxels = std::make_shared<io::AveragedVoxels>();
    io::AveragedVoxels& voxels = *result.voxels;
    voxels.grid = std::move(sampled.grid);
    voxels.is_sampled = sampled.is_sampled;
    voxels.conventions = {"SAR " + dosimetry::power_text(exposure.scaling)};
    dosimetry::VoxelGrid& grid = voxels.grid;
    result.figures = {sampled.is_sampled, sampled.is_sampled
                                              ? conserve_power(grid, exposure.tissues)
                                              : voxel_tissues(grid, exposure.tissues, exposure.power_factor)};
    warn_of(result.figures);
    voxels.averages = dosimetry::average_sar(grid, settings.masses, settings.processor);
    for (const auto& average : voxels.averages) voxels.peaks.push_back(dosimetry::peaks(grid, average));
  });
  return result;
}

void write_voxel_file(io::Results& results, const io::AveragedVoxels& voxels, const std::string& suffix) {
  io::ResultFile file{io::voxel_file_name(voxels.grid.is_uniform(), suffix)};
  file.contents = io::voxel_contents(voxels);
  const auto path = results.files.add(std::move(file));
  results.field_bytes += io::write_voxels(path, voxels);
}

void MassAveraging::finish(io::Results& results) {
  if (!results.exposure || meter_.voxel_count() == 0) return;
  const auto averaged = averaged_exposure(meter_, *results.exposure, settings_, results.comm);
  if (!averaged.voxels) return;
  add_averages(results.summary, *results.exposure, *averaged.voxels, averaged.figures);
  results.voxels = averaged.voxels;
}

void MassAveraging::finish_fields(io::Results& results) {
  if (!settings_.write_file) return;
  parallel::root_or_throw(results.comm, [&] {
    if (results.voxels) write_voxel_file(results, *results.voxels);
  });
}

double MassAveraging::output_bytes() const {
  constexpr double per_voxel = 102, per_average = 10;  // at most, of root: values, sums and averages
  return (per_voxel + per_average * double(settings_.masses.size())) * meter_.voxel_count();
}

std::vector<solver::FileSize> MassAveraging::field_files(std::int64_t) const {
  const double voxels = meter_.voxel_count();
  if (!settings_.write_file || voxels == 0) return {};
  return {{io::voxel_file_name(meter_.has_cubic_voxels()), io::most_voxel_file_bytes(voxels, settings_.masses.size()),
           1, true}};
}

}  // namespace dgtd::observers
