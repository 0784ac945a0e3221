// report.json: what report.html says, for programs.
#include <nlohmann/json.hpp>

#include "dgtd/io/report.hpp"
#include "dgtd/io/text_files.hpp"
#include "report_sections.hpp"
#include "steady_state_json.hpp"

namespace dgtd::io {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const Vec3& at) { return Json::array({at.x, at.y, at.z}); }

Json materials(const Summary& s) {
  Json rows = Json::array();
  for (const MaterialRow& m : s.materials)
    rows.push_back({{"name", m.name},
                    {"tissue", m.tissue.empty() ? Json(nullptr) : Json(m.tissue)},
                    {"frequency_Hz", or_null(s.frequency_Hz)},
                    {"eps_r", m.permittivity},
                    {"sigma_S_per_m", m.conductivity},
                    {"mu_r", m.permeability},
                    {"perfect_conductor", m.perfect_conductor},
                    {"density_kg_per_m3", or_null(m.density)},
                    {"source", m.dielectric_source},
                    {"density_source", m.density_source.empty() ? Json(nullptr) : Json(m.density_source)}});
  return rows;
}

Json mesh(const Summary& s) {
  if (s.on_grid) return {{"cells", s.elements}, {"unknowns", s.unknowns}};
  Json groups = Json::array();
  for (const auto& g : s.mesh.groups)
    groups.push_back({{"name", g.name}, {"elements", g.elements}, {"volume_m3", g.volume_m3}});
  return {{"elements", s.elements},
          {"unknowns", s.unknowns},
          {"vertices", s.mesh.vertices},
          {"shortest_edge_m", or_null(s.mesh.shortest_edge_m)},
          {"longest_edge_m", or_null(s.mesh.longest_edge_m)},
          {"mean_edge_m", or_null(s.mesh.mean_edge_m)},
          {"smallest_inradius_m", or_null(s.mesh.smallest_inradius_m)},
          {"worst_shape", or_null(s.mesh.worst_shape)},
          {"volumes", groups}};
}

Json json_of(const dosimetry::PeakAverage& peak) {
  return {{"sar_W_per_kg", peak.sar},
          {"tissue", peak.tissue},
          {"at_m", json_of(peak.at)},
          {"side_m", peak.side},
          {"orientation", dosimetry::name_of(peak.orientation)},
          {"cube_lower_m", json_of(peak.lower)},
          {"cube_upper_m", json_of(peak.upper)}};
}

Json averages(const Summary& s) {
  Json list = Json::array();
  for (const auto& average : s.averages) {
    Json of_tissues = Json::object();
    for (const auto& peak : average.of_tissues) of_tissues[peak.tissue] = json_of(peak);
    list.push_back({{"mass_kg", average.mass_kg},
                    {"peak", average.peak ? json_of(*average.peak) : Json(nullptr)},
                    {"of_tissues", of_tissues}});
  }
  return list;
}

Json tissues(const Summary& s) {
  Json rows = Json::array();
  for (const auto& row : s.tissues)
    rows.push_back({{"name", row.name},
                    {"mass_kg", row.mass_kg},
                    {"mean_absorbed_power_W", row.absorbed_W},
                    {"mean_sar_W_per_kg", or_null(row.sar_mean)},
                    {"largest_local_sar_W_per_kg", or_null(row.sar_max)},
                    {"at_m", row.at ? json_of(*row.at) : Json(nullptr)}});
  return rows;
}

Json limits(const Summary& s) {
  Json rows = Json::array();
  const bool incident = limit_power_unit(s) != "W";
  for (const auto& check : s.limits)
    rows.push_back(
        {{"guideline", check.limit.guideline},
         {"population", check.limit.population},
         {"published_in", check.limit.source},
         {"quantity", limit_quantity(check.limit.quantity)},
         {"limit_W_per_kg", check.limit.sar},
         {"sar_W_per_kg", check.sar},
         {"share", check.share},
         {incident ? "mean_incident_power_at_limit_W_per_m2" : "mean_power_at_limit_W", or_null(check.power)}});
  return rows;
}

Json pictures(const Summary& s) {
  Json rows = Json::array();
  for (const PictureRow& row : s.pictures) {
    Json list = Json::array();
    for (const Picture& p : row.pictures) {
      Json item{{"title", p.title}};
      if (p.plane)
        item["plane"] = {{"normal", std::string(1, "xyz"[p.plane->axis])}, {"position_m", p.plane->position}};
      list.push_back(std::move(item));
    }
    rows.push_back(
        {{"title", row.title},
         {"unit", row.scale.unit},
         {"scale",
          {{"lowest", row.scale.lowest}, {"highest", row.scale.highest}, {"logarithmic", row.scale.logarithmic}}},
         {"pictures", list}});
  }
  return rows;
}

Json json_of(const Summary& s) {
  const auto& p = s.power;
  return {{"case", s.case_name},
          {"version", s.version},
          {"method", s.method},
          {"order", s.on_grid ? Json(nullptr) : Json(s.order)},
          {"precision", s.precision},
          {"steps", s.steps},
          {"dt_s", s.dt_s},
          {"conventions",
           {{"fields", "peak phasors F of f(t) = Re F exp(-i omega t)"},
            {"powers", "means over a period (W rms)"},
            {"sar", "sigma |E|^2 / (2 density) with the peak phasor E, means over elements or cells"},
            {"normalisation", dosimetry::power_text(s.sar)}}},
          {"materials", materials(s)},
          {s.on_grid ? "grid" : "mesh", mesh(s)},
          {"steady_state", s.steady ? steady_state_json(*s.steady) : Json(nullptr)},
          {"power_balance",
           {{"mean_source_power_W", or_null(p.source_W)},
            {"mean_absorbed_power_W", or_null(p.absorbed_W)},
            {"mean_outflow_power_W", or_null(p.outflow_W)},
            {"defect", or_null(p.defect)}}},
          {"tissues", tissues(s)},
          {"mass_averages", averages(s)},
          {"limits", limits(s)},
          {"pictures", pictures(s)},
          {"warnings", s.warnings}};
}

}  // namespace

std::string report_json(const Summary& summary) {
  return json_of(summary).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_report_json(const std::filesystem::path& file, const Summary& summary) {
  write_text(file, report_json(summary));
}

}  // namespace dgtd::io
