#include "dgtd/io/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/io/text_files.hpp"
#include "steady_state_json.hpp"

namespace dgtd::io {

namespace {

using Json = nlohmann::ordered_json;  // NaN and infinity are printed as null by the library

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Energy& energy) {
  return {{"first_J", or_null(energy.first_J)},
          {"last_J", or_null(energy.last_J)},
          {"relative_drift", or_null(energy.relative_drift)}};
}

Json to_json(const PowerBalance& power) {
  return {{"source_W", or_null(power.source_W)},
          {"absorbed_W", or_null(power.absorbed_W)},
          {"outflow_W", or_null(power.outflow_W)},
          {"defect", or_null(power.defect)}};
}

Json to_json(const dosimetry::TissueRow& row) {
  return {{"mass_kg", row.mass_kg},
          {"absorbed_W", row.absorbed_W},
          {"sar_mean", or_null(row.sar_mean)},
          {"sar_max", or_null(row.sar_max)},
          {"at", row.at ? Json::array({row.at->x, row.at->y, row.at->z}) : Json(nullptr)}};
}

Json to_json(const std::vector<dosimetry::TissueRow>& rows) {
  Json tissues = Json::object();
  for (const auto& row : rows) tissues[row.name] = to_json(row);
  return tissues;
}

Json to_json(const Vec3& x) { return Json::array({x.x, x.y, x.z}); }

Json to_json(const dosimetry::PeakAverage& peak) {
  Json json{{"sar", peak.sar}, {"at", to_json(peak.at)}, {"status", static_cast<int>(peak.status)}};
  json["tissue"] = peak.tissue.empty() ? Json(nullptr) : Json(peak.tissue);
  json["orientation"] = static_cast<int>(peak.orientation);
  json["side_m"] = peak.orientation == dosimetry::Orientation::none ? Json(nullptr) : Json(peak.side);
  json["cube"] = peak.orientation == dosimetry::Orientation::none
                     ? Json(nullptr)
                     : Json::array({to_json(peak.lower), to_json(peak.upper)});
  return json;
}

// By mass.
Json to_json(const std::vector<dosimetry::MassAverage>& averages) {
  Json masses = Json::object();
  for (const auto& average : averages) {
    const auto in = [&](dosimetry::VoxelStatus status) { return average.voxels_in[static_cast<std::size_t>(status)]; };
    Json tissues = Json::object();
    for (const auto& peak : average.of_tissues) tissues[peak.tissue] = to_json(peak);
    using Status = dosimetry::VoxelStatus;
    masses[dosimetry::mass_text(average.mass_kg)] = {{"mass_kg", average.mass_kg},
                                                     {"peak", average.peak ? to_json(*average.peak) : Json(nullptr)},
                                                     {"tissues", tissues},
                                                     {"voxels",
                                                      {{"valid", in(Status::valid)},
                                                       {"used", in(Status::used)},
                                                       {"unused", in(Status::unused)},
                                                       {"no_cube", in(Status::no_cube)}}}};
  }
  return masses;
}

Json to_json(const VoxelFigures& voxels) {
  Json tissues = Json::object();
  for (const auto& t : voxels.tissues)
    tissues[t.name] = {{"voxels", t.voxels},
                       {"mass_kg", t.mass_kg},
                       {"absorbed_W", t.absorbed_W},
                       {"power_factor", voxels.is_sampled ? Json(t.power_factor) : Json(nullptr)}};
  return {{"cells", voxels.cells}, {"edge_m", or_null(voxels.edge_m)}, {"tissues", tissues}};
}

Json to_json(const Performance& performance) {
  return {{"element_steps_per_s", performance.element_steps_per_s},
          {"unknowns_per_s", performance.unknowns_per_s},
          {"bytes_per_step", performance.bytes_per_step},
          {"GB_per_s", performance.GB_per_s},
          {"copy_GB_per_s", or_null(performance.copy_GB_per_s)},
          {"roofline_fraction", or_null(performance.roofline_fraction)},
          {"gflop_per_s", performance.gflop_per_s},
          {"halo_wait_fraction", performance.halo_wait_fraction},
          {"peak_memory_bytes", performance.peak_memory_bytes}};
}

Json to_json(const MeshFigures& mesh) {
  return {{"vertices", mesh.vertices},
          {"shortest_edge_m", or_null(mesh.shortest_edge_m)},
          {"longest_edge_m", or_null(mesh.longest_edge_m)},
          {"mean_edge_m", or_null(mesh.mean_edge_m)}};
}

Json to_json(const dosimetry::SarScaling& sar) {
  using Normalise = dosimetry::Normalisation::Normalise;
  const bool incident = sar.normalise == Normalise::incident;
  const char* name = incident                               ? "incident"
                     : sar.normalise == Normalise::emitted  ? "emitted"
                     : sar.normalise == Normalise::accepted ? "accepted"
                                                            : "none";
  return {{"normalise", name},
          {incident ? "run_power_W_per_m2" : "run_power_W", or_null(sar.run_power)},
          {incident ? "chosen_power_W_per_m2" : "chosen_power_W", or_null(sar.chosen_power)},
          {"factor", sar.factor},
          {"refers_to", dosimetry::power_text(sar)}};
}

// A grid has cells, and neither an order nor a mesh.
Json for_grid(const Json& json) {
  Json result = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (key == "order" || key == "mesh") continue;
    if (key != "performance") {
      result[key == "elements" ? "cells" : key] = value;
      continue;
    }
    for (const auto& [name, figure] : value.items())
      result[key][name == "element_steps_per_s" ? "cell_steps_per_s" : name] = figure;
  }
  return result;
}

Json to_json(const SubdomainFigures& s) {
  return {{"count", s.count},           {"reflections", s.reflections}, {"solutions", s.solutions},
          {"cell_steps", s.cell_steps}, {"cpu_s", or_null(s.cpu_s)},    {"saving", s.saving}};
}

Json to_json(const Summary& s) {
  Json json{{"version", s.version},
            {"case", s.case_name},
            {"method", s.method},
            {"order", s.order},
            {"precision", s.precision},
            {"backend", s.backend},
            {"kernels", s.kernels},
            {"comm", s.comm},
            {"ranks", s.ranks},
            {"elements", s.elements},
            {"unknowns", s.unknowns},
            {"mesh", to_json(s.mesh)},
            {"dt_s", s.dt_s},
            {"steps", s.steps},
            {"interrupted", s.interruption.empty() ? Json(nullptr) : Json(s.interruption)},
            {"steps_per_period", or_null(s.steps_per_period)},
            {"wall_s", s.wall_s},
            {"setup_s", s.setup_s},
            {"energy", to_json(s.energy)},
            {"error", s.error ? Json{{"l2_E", s.error->l2_E}, {"l2_H", s.error->l2_H}} : Json(nullptr)},
            {"fields_hash", s.fields_hash ? Json(fmt::format("{:016x}", *s.fields_hash)) : Json(nullptr)},
            {"dft_frequencies_Hz", s.dft_frequencies_Hz},
            {"power", to_json(s.power)},
            {"sar", to_json(s.sar)},
            {"tissues", to_json(s.tissues)},
            {"performance", to_json(s.performance)}};
  json["warnings"] = s.warnings;
  json["steady_state"] = s.steady ? steady_state_json(*s.steady) : Json(nullptr);
  json["timers"] = Json::object();
  for (const auto& [stage, seconds] : s.timers) json["timers"][stage] = seconds;
  for (const auto& [name, values] : s.figures) json[name] = values.size() == 1 ? Json(values.front()) : Json(values);
  if (s.voxels) {
    json["sar_averages"] = to_json(s.averages);
    json["sar_voxels"] = to_json(*s.voxels);
  }
  if (s.subdomains) json["subdomains"] = to_json(*s.subdomains);
  return s.on_grid ? for_grid(json) : json;
}

}  // namespace

// Bytes that are not UTF-8 (in a file's name, say) must not cost a run its result: they are replaced.
std::string summary_text(const Summary& summary) {
  return to_json(summary).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::filesystem::path& file, const Summary& summary) {
  write_text(file, summary_text(summary));
}

}  // namespace dgtd::io
