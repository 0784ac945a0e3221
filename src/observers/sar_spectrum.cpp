#include "dgtd/observers/sar_spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/io/voxel_file.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/observers/powers.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

namespace {

using dosimetry::TissueRow;
using io::Value;

constexpr double noticeable = 0.02;  // defect of a balance of energies
constexpr double one_sided = 4;      // energy per frequency over what a phasor of the same value would give

double absorbed_by(const dosimetry::Exposure& exposure) {
  double sum = 0;
  for (const TissueRow& row : exposure.tissues) sum += row.absorbed_W;
  return sum;
}

std::vector<TissueRow> tissues_of(const dosimetry::Exposure& exposure) {
  std::vector<TissueRow> rows = exposure.tissues;
  std::erase_if(rows, [](const TissueRow& row) { return row.mass_kg <= 0; });
  return rows;
}

io::CellQuantity local_sar_quantity(const std::shared_ptr<const dosimetry::Exposure>& exposure,
                                    const std::string& suffix) {
  const auto entry = std::make_shared<const dosimetry::EntryFinder>(*exposure);
  return {"SAR_W_per_kg" + suffix,
          [exposure, entry](std::span<const std::size_t> places, double* values) {
            for (std::size_t i = 0; i < places.size(); ++i) {
              const auto found = (*entry)(places[i]);
              values[i] = found ? dosimetry::local_sar(*exposure, *found) : 0;
            }
          },
          dosimetry::local_sar_text(exposure->scaling)};
}

}  // namespace

std::vector<SarSpectrum::AtFrequency> SarSpectrum::measured(const parallel::Communicator& comm) const {
  const auto suffixes = frequency_suffixes(sums_.frequencies);
  std::vector<std::size_t> ascending(sums_.frequencies.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::sort(ascending.begin(), ascending.end(),
            [&](std::size_t a, std::size_t b) { return sums_.frequencies[a] < sums_.frequencies[b]; });
  std::vector<AtFrequency> rows;
  const DrivenEnergy driven = settings_.driven ? settings_.driven(sums_.frequencies) : DrivenEnergy();
  for (const std::size_t f : ascending) {
    double work = comm.sum(currents_.current_work(f));
    dosimetry::ReferencePowers emitted;
    emitted.emitted_W = emitted.accepted_W = work;
    if (settings_.driven) {
      work += driven.supplied[f] / one_sided;
      emitted = {work, driven.accepted[f] / one_sided, driven.incident[f] / one_sided, {}};
    }
    dosimetry::SarScaling scaling;
    try {
      scaling = dosimetry::scaling(settings_.sar, emitted);
    } catch (const Error& error) {
      log::warn("{} Hz: {}; there is no SAR at this frequency", sums_.frequencies[f], error.what());
      continue;
    }
    auto measured = meter_.measure(f);
    if (!has_tissues(measured.rows)) return {};
    const auto exposure = std::make_shared<dosimetry::Exposure>(std::move(measured.exposure));
    exposure->scaling = scaling;
    exposure->tissues = dosimetry::scaled(std::move(measured.rows), scaling.factor);
    exposure->power = scaling.chosen_power;
    const double absorbed = absorbed_by(*exposure) / scaling.factor;
    const auto energies = power_balance(one_sided * work, one_sided * absorbed, one_sided * meter_.outflow(f));
    if (const double defect = std::abs(energies.defect.value_or(0)); defect > noticeable)
      log::warn(
          "{}: the energies of the pulse do not balance by {:.2f} %: it is not over at the end (a longer run, "
          "time.end = decayed), or the mesh is coarse (a higher solver.order)",
          units::frequency_text(sums_.frequencies[f]), 100 * defect);
    rows.push_back({sums_.frequencies[f], energies, suffixes[f], exposure, nullptr});
  }
  return rows;
}

void SarSpectrum::finish(io::Results& results) {
  if (!sums_.complete(results.summary)) return;
  rows_ = measured(results.comm);
  if (rows_.empty()) return;
  if (!settings_.averages.masses.empty() && meter_.voxel_count() > 0)
    for (auto& row : rows_)
      row.voxels = averaged_exposure(meter_, *row.exposure, settings_.averages, results.comm).voxels;
  if (settings_.averages.write_file)
    for (const auto& row : rows_) results.quantities.push_back(local_sar_quantity(row.exposure, row.suffix));
  write_table(results);
  Value::List keys, list;
  io::Table spectrum{
      {{"Frequency"}, {"Emitted [J/Hz]"}, {"Absorbed"}, {"Outflow"}, {"Defect"}, {"SAR mean, all tissues [W/kg]"}}, {}};
  io::Table tissues{{{"Tissue"}}, {}};
  for (const double mass : settings_.averages.masses)
    spectrum.columns.push_back({fmt::format("Peak over {} [W/kg]", dosimetry::mass_text(mass))});
  for (const TissueRow& tissue : tissues_of(*rows_.front().exposure)) tissues.rows.push_back({{tissue.name}});
  for (const auto& row : rows_) {
    const dosimetry::Exposure& x = *row.exposure;
    const double source = *row.energies.source_W;
    const double absorbed = *row.energies.absorbed_W / source, outflow = *row.energies.outflow_W / source;
    Value averages = Value::Object{};
    Value::List average_list;
    spectrum.rows.push_back(
        {{units::frequency_text(row.frequency), io::number(source), io::percent(absorbed), io::percent(outflow),
          io::percent(row.energies.defect), io::number(sum_of_tissues(x.tissues).sar_mean)}});
    tissues.columns.push_back({fmt::format("SAR mean at {} [W/kg]", units::frequency_text(row.frequency))});
    std::size_t line = 0;
    for (const TissueRow& tissue : tissues_of(x)) tissues.rows.at(line++).cells.push_back(io::number(tissue.sar_mean));
    if (row.voxels)
      for (const auto& average : row.voxels->peaks) {
        averages[dosimetry::mass_text(average.mass_kg)] = summary_value(average);
        average_list.push_back(report_value(average));
        spectrum.rows.back().cells.push_back(average.peak ? io::number(average.peak->sar) : io::absent);
      }
    keys.push_back(Value::Object{{"frequency_Hz", row.frequency},
                                 {"source_J_per_Hz", source},
                                 {"factor", x.scaling.factor},
                                 {"absorbed_share", absorbed},
                                 {"outflow_share", outflow},
                                 {"defect", row.energies.defect},
                                 {"tissues", summary_value(x.tissues)},
                                 {"averages", averages}});
    list.push_back(Value::Object{{"frequency_Hz", row.frequency},
                                 {"source_energy_J_per_Hz", source},
                                 {"absorbed_share", absorbed},
                                 {"outflow_share", outflow},
                                 {"defect", row.energies.defect},
                                 {"tissues", report_value(x.tissues)},
                                 {"mass_averages", std::move(average_list)}});
  }
  io::Summary& s = results.summary;
  s.keys["sar_spectrum"] = std::move(keys);
  s.report["sar_spectrum"] = std::move(list);
  const std::string power = dosimetry::power_text(rows_.front().exposure->scaling);
  s.report["conventions"]["normalisation"] = power;
  const std::string text = "SAR " + power + ":\n" + io::text_of(spectrum);
  s.sections.push_back(
      {io::Chapter::dosimetry,
       "SAR by frequency",
       {io::Note{fmt::format("SAR {} at each frequency, from the pulse's Fourier integrals. Absorbed, "
                             "outflow and defect (emitted \u2212 absorbed \u2212 outflow) are shares of what is "
                             "emitted.",
                             power)},
        std::move(spectrum), std::move(tissues)},
       text});
}

void SarSpectrum::write_table(io::Results& results) const {
  std::string text = "frequency_Hz,source_J_per_Hz,absorbed_share,outflow_share,all_tissues_W_per_kg";
  for (const TissueRow& tissue : tissues_of(*rows_.front().exposure)) text += fmt::format(",{}_W_per_kg", tissue.name);
  for (const double mass : settings_.averages.masses)
    text += fmt::format(",peak_{}_W_per_kg", dosimetry::mass_text(mass));
  text += "\n";
  for (const auto& row : rows_) {
    const dosimetry::Exposure& x = *row.exposure;
    const double source = *row.energies.source_W;
    text += fmt::format("{},{},{},{},{}", row.frequency, source, *row.energies.absorbed_W / source,
                        *row.energies.outflow_W / source, *sum_of_tissues(x.tissues).sar_mean);
    for (const TissueRow& tissue : tissues_of(x)) text += fmt::format(",{}", tissue.sar_mean.value_or(0));
    for (std::size_t m = 0; m < settings_.averages.masses.size(); ++m) {
      text += ",";  // without a cube of this mass the value is absent
      if (row.voxels && row.voxels->peaks[m].peak) text += fmt::format("{}", row.voxels->peaks[m].peak->sar);
    }
    text += "\n";
  }
  parallel::root_or_throw(results.comm, [&] { results.files.write_table("sar.csv", {"frequency_Hz"}, text); });
}

void SarSpectrum::finish_fields(io::Results& results) {
  if (!settings_.averages.write_file) return;
  parallel::root_or_throw(results.comm, [&] {
    for (const auto& row : rows_)
      if (row.voxels) write_voxel_file(results, *row.voxels, row.suffix);
  });
}

std::vector<solver::FileSize> SarSpectrum::field_files(std::int64_t) const {
  const double voxels = meter_.voxel_count();
  if (!settings_.averages.write_file || settings_.averages.masses.empty() || voxels == 0) return {};
  std::vector<solver::FileSize> files;
  for (const std::string& suffix : frequency_suffixes(sums_.frequencies))
    files.push_back({io::voxel_file_name(meter_.has_cubic_voxels(), suffix),
                     io::most_voxel_file_bytes(voxels, settings_.averages.masses.size()), 1, true});
  return files;
}

// As MassAveraging, of each frequency, and the exposures but the first, which counts where powers are measured.
double SarSpectrum::output_bytes() const {
  constexpr double per_voxel = 102, per_average = 10;
  const double frequencies = double(sums_.frequencies.size()), masses = double(settings_.averages.masses.size());
  const double voxels = masses > 0 ? (per_voxel + per_average * masses) * meter_.voxel_count() : 0;
  return frequencies * voxels + (frequencies - 1) * meter_.exposure_bytes().kept;
}

}  // namespace dgtd::observers
