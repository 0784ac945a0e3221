// report.json: what report.html says, for programs.
#include "dgtd/io/report.hpp"
#include "dgtd/io/text_files.hpp"
#include "report_pictures.hpp"

namespace dgtd::io {

namespace {

using Object = Value::Object;
using List = Value::List;

Value value_of(const Summary& s) {
  Value v;
  v["case"] = s.case_name;
  v["version"] = s.version;
  v["method"] = s.method;
  v["order"] = s.on_grid ? Value() : Value(s.order);
  v["precision"] = s.precision;
  v["steps"] = s.steps;
  v["dt_s"] = s.dt_s;
  v["conventions"] = Object{{"fields", "peak phasors F of f(t) = Re F exp(-i omega t)"},
                            {"powers", "means over a period (W rms)"},
                            {"sar", "sigma |E|^2 / (2 density) with the peak phasor E, means over elements or cells"},
                            {"normalisation", "at the power of the run itself"}};
  v["materials"] = List{};
  v[s.on_grid ? "grid" : "mesh"] = Object{{s.on_grid ? "cells" : "elements", s.elements}, {"unknowns", s.unknowns}};
  v["steady_state"] = Value();
  v["run_end"] = Value();
  v["power_balance"] = Object{{"mean_source_power_W", Value()},
                              {"mean_absorbed_power_W", Value()},
                              {"mean_outflow_power_W", Value()},
                              {"defect", Value()}};
  v["tissues"] = List{};
  v["mass_averages"] = List{};
  v["limits"] = List{};
  List pictures;
  for (const Section& section : s.sections)
    for (const Block& block : section.blocks)
      if (const auto* row = std::get_if<PictureRow>(&block)) pictures.push_back(value_of(*row));
  v["pictures"] = pictures;
  v["warnings"] = Value::list_of(s.warnings);
  if (!s.report.is_null()) v.merge(s.report);
  return v;
}

}  // namespace

std::string report_json(const Summary& summary) { return json_text(value_of(summary)); }

void write_report_json(const std::filesystem::path& file, const Summary& summary) {
  write_text(file, report_json(summary));
}

}  // namespace dgtd::io
