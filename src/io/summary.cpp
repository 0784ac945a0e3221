#include "dgtd/io/summary.hpp"

#include <fmt/format.h>

#include "dgtd/io/text_files.hpp"

namespace dgtd::io {

namespace {

using Object = Value::Object;

// Keys that every summary has, also of runs without the observer.
Object nulls(std::initializer_list<const char*> names) {
  Object object;
  for (const char* name : names) object.emplace_back(name, Value());
  return object;
}

Value value_of(const Performance& p, bool on_grid) {
  return Object{{on_grid ? "cell_steps_per_s" : "element_steps_per_s", p.element_steps_per_s},
                {"unknowns_per_s", p.unknowns_per_s},
                {"bytes_per_step", p.bytes_per_step},
                {"GB_per_s", p.GB_per_s},
                {"copy_GB_per_s", p.copy_GB_per_s},
                {"roofline_fraction", p.roofline_fraction},
                {"gflop_per_s", p.gflop_per_s},
                {"halo_wait_fraction", p.halo_wait_fraction},
                {"peak_memory_bytes", p.peak_memory_bytes},
                {"device_memory_bytes", p.device_memory_bytes}};
}

// A grid has cells, and neither an order nor a mesh.
Value value_of_summary(const Summary& s) {
  Value v;
  v["version"] = s.version;
  v["case"] = s.case_name;
  v["method"] = s.method;
  if (!s.on_grid) v["order"] = s.order;
  v["precision"] = s.precision;
  v["backend"] = s.backend;
  v["kernels"] = s.kernels;
  v["comm"] = s.comm;
  v["ranks"] = s.ranks;
  v[s.on_grid ? "cells" : "elements"] = s.elements;
  v["unknowns"] = s.unknowns;
  if (!s.on_grid) v["mesh"] = nulls({"vertices", "shortest_edge_m", "longest_edge_m", "mean_edge_m"});
  v["dt_s"] = s.dt_s;
  v["steps"] = s.steps;
  v["interrupted"] = s.interruption.empty() ? Value() : Value(s.interruption);
  v["steps_per_period"] = s.steps_per_period;
  v["wall_s"] = s.wall_s;
  v["setup_s"] = s.setup_s;
  v["energy"] = nulls({"first_J", "last_J", "relative_drift"});
  v["error"] = Value();
  v["fields_hash"] = s.fields_hash ? Value(fmt::format("{:016x}", *s.fields_hash)) : Value();
  v["dft_frequencies_Hz"] = Value::list_of(s.dft_frequencies_Hz);
  v["power"] = nulls({"source_W", "absorbed_W", "outflow_W", "defect"});
  v["sar"] = Object{{"normalise", "none"},
                    {"run_power_W", Value()},
                    {"chosen_power_W", Value()},
                    {"factor", 1.0},
                    {"refers_to", "at the power of the run itself"}};
  v["tissues"] = Object{};
  v["performance"] = value_of(s.performance, s.on_grid);
  v["warnings"] = Value::list_of(s.warnings);
  v["steady_state"] = Value();
  v["run_end"] = Value();
  v["timers"] = Object{};
  for (const auto& [stage, seconds] : s.timers) v["timers"][stage] = seconds;
  if (!s.keys.is_null())
    for (const auto& [key, value] : s.keys.get<Object>()) v[key] = value;
  return v;
}

}  // namespace

std::string summary_text(const Summary& summary) { return json_text(value_of_summary(summary)); }

void write_summary(const std::filesystem::path& file, const Summary& summary) {
  write_text(file, summary_text(summary));
}

}  // namespace dgtd::io
