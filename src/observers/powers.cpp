#include "dgtd/observers/powers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/observers/steady_state.hpp"
#include "place_texts.hpp"

namespace dgtd::observers {

namespace {

using dosimetry::TissueRow;
using io::Value;
using Normalise = dosimetry::Normalisation::Normalise;

// A run is not lost because its power cannot be scaled: its results then are as they are.
dosimetry::SarScaling scaling_or_none(const dosimetry::Normalisation& sar, const dosimetry::ReferencePowers& powers) {
  try {
    return dosimetry::scaling(sar, powers);
  } catch (const Error& error) {
    log::warn("{}; SAR is that of the run as it is", error.what());
    return {};
  }
}

// Without normalisation SAR is that of the run's own power.
std::optional<double> power_of_sar(const dosimetry::SarScaling& scaling, const PowerBalance& power) {
  const auto chosen = scaling.normalise == Normalise::none ? power.source_W : scaling.chosen_power;
  return chosen.value_or(0) > 0 ? chosen : std::nullopt;
}

Value value_of(const dosimetry::SarScaling& sar) {
  const std::string unit = sar.normalise == Normalise::incident ? "_W_per_m2" : "_W";
  return Value::Object{{"normalise", dosimetry::name_of(sar.normalise)},
                       {"run_power" + unit, sar.run_power},
                       {"chosen_power" + unit, sar.chosen_power},
                       {"factor", sar.factor},
                       {"refers_to", dosimetry::power_text(sar)}};
}

std::string scaling_note(const dosimetry::SarScaling& sar, std::optional<double> source_W) {
  const char* const peak = "E is the peak of its phasor, powers are means over a period.";
  if (sar.normalise == Normalise::none)
    return fmt::format("At the power of the run itself{}. {}",
                       source_W ? fmt::format(" (source: {})", units::power_text(*source_W)) : "", peak);
  const bool incident = sar.normalise == Normalise::incident;
  const char* unit = incident ? "W/m\u00b2" : "W";
  return fmt::format("At {} of {} {}, mean over a period (the run's own: {} {}; factor {}). {}",
                     dosimetry::phrase_of(sar.normalise), io::number(sar.chosen_power), unit,
                     io::number(sar.run_power), unit, io::number(sar.factor), peak);
}

io::Table tissue_table(std::vector<TissueRow> rows) {
  double largest_W = 0, largest_sar = 0;
  std::vector<Vec3> places;
  for (const TissueRow& row : rows) {
    largest_W = std::max(largest_W, row.absorbed_W);
    largest_sar = std::max(largest_sar, row.sar_max.value_or(0));
    if (row.at) places.push_back(*row.at);
  }
  const auto unit = units::power(largest_W), length = unit_of_places(places);
  io::Table table;
  table.columns = {{"Group"},
                   {"Mass [g]"},
                   {fmt::format("Absorbed, mean over a period [{}]", unit.name)},
                   {"SAR mean [W/kg]"},
                   {"SAR max, local [W/kg]"},
                   {fmt::format("Maximum at [{}]", length.name)}};
  if (has_tissues(rows)) rows.push_back(sum_of_tissues(rows));
  for (const TissueRow& row : rows)
    table.rows.push_back({{row.name, row.mass_kg > 0 ? io::number(row.mass_kg * 1e3) : io::absent,
                           io::number(row.absorbed_W / unit.size), io::number(row.sar_mean), io::number(row.sar_max),
                           row.at ? place_text(*row.at, length) : io::absent},
                          row.sar_max && largest_sar > 0 ? *row.sar_max / largest_sar : 0});
  return table;
}

// Materials that have no density have no SAR.
io::Table absorption_table(const std::vector<TissueRow>& rows) {
  double largest_W = 0;
  for (const TissueRow& row : rows) largest_W = std::max(largest_W, row.absorbed_W);
  const auto unit = units::power(largest_W);
  io::Table table{{{"Material"}, {fmt::format("Absorbed, mean over a period [{}]", unit.name)}}, {}};
  for (const TissueRow& row : rows)
    table.rows.push_back(
        {{row.name, io::number(row.absorbed_W / unit.size)}, largest_W > 0 ? row.absorbed_W / largest_W : 0});
  return table;
}

// An added layer has a group of its own beside its medium, which is no tissue; what it absorbs is counted.
std::vector<TissueRow> without_layers(std::vector<TissueRow> rows) {
  std::erase_if(rows, [](const TissueRow& row) { return mesh::is_layer_name(row.name) && row.absorbed_W == 0; });
  return rows;
}

}  // namespace

dosimetry::TissueRow sum_of_tissues(const std::vector<TissueRow>& rows) {
  TissueRow sum;
  sum.name = "all tissues";
  for (const TissueRow& row : rows) {
    if (row.mass_kg <= 0) continue;
    sum.mass_kg += row.mass_kg;
    sum.absorbed_W += row.absorbed_W;
    if (!sum.sar_max || *row.sar_max > *sum.sar_max) sum.sar_max = row.sar_max, sum.at = row.at;
  }
  if (sum.mass_kg > 0) sum.sar_mean = sum.absorbed_W / sum.mass_kg;
  return sum;
}

io::Value summary_value(const std::vector<TissueRow>& tissues) {
  Value keys = Value::Object{};
  for (const TissueRow& row : without_layers(tissues))
    keys[row.name] = Value::Object{{"mass_kg", row.mass_kg},
                                   {"absorbed_W", row.absorbed_W},
                                   {"sar_mean", row.sar_mean},
                                   {"sar_max", row.sar_max},
                                   {"at", row.at}};
  return keys;
}

io::Value report_value(const std::vector<TissueRow>& tissues) {
  Value::List list;
  for (const TissueRow& row : without_layers(tissues))
    list.push_back(Value::Object{{"name", row.name},
                                 {"mass_kg", row.mass_kg},
                                 {"mean_absorbed_power_W", row.absorbed_W},
                                 {"mean_sar_W_per_kg", row.sar_mean},
                                 {"largest_local_sar_W_per_kg", row.sar_max},
                                 {"at_m", row.at}});
  return list;
}

std::int64_t Powers::next(std::int64_t step) const {
  if (step <= settings_.period_begin) return settings_.period_begin;
  return settings_.period > 0
             ? settings_.period_begin + solver::next_multiple(step - settings_.period_begin, settings_.period)
             : solver::never;
}

// Where periods follow each other, the last reading is of the end of the last one.
void Powers::observe(const solver::Clock& clock) {
  const double work = solver_.source_work();
  work_before_ = settings_.period > 0 && clock.steps > settings_.period_begin ? work_latest_ : work;
  work_latest_ = work;
}

void Powers::finish(io::Results& results) {
  io::Summary& s = results.summary;
  if (!s.interruption.empty()) return;                                  // the period is not complete
  // Mean over the last period, W. Of complex fields it is a half of the powers at both signs of their phases, of which
  // the steady field with the opposite ones loses its own.
  double source = settings_.frequency * comm_.sum(solver_.source_work() - work_before_);
  if (const auto opposite = meter_.loss_of_opposite_phases(0)) source = 2 * source - *opposite;
  auto measured = meter_.measure(0);
  double absorbed = 0;
  for (const auto& row : measured.rows) absorbed += row.absorbed_W;
  const PortPower at_ports = settings_.ports != nullptr ? settings_.ports->last_period() : PortPower();
  PowerBalance power = power_balance(source + at_ports.by_guides_W, absorbed, meter_.outflow(0));
  if (!settings_.work_is_measured) power.source_W.reset(), power.defect.reset();
  dosimetry::ReferencePowers reference;
  if (settings_.emits) reference.emitted_W = reference.accepted_W = power.source_W;
  if (settings_.ports != nullptr)
    reference.accepted_W = at_ports.accepted_W, reference.incident_at_port_W = at_ports.incident_W;
  reference.incident_W_per_m2 = settings_.incident_W_per_m2;
  const auto exposure = std::make_shared<dosimetry::Exposure>(std::move(measured.exposure));
  exposure->scaling = scaling_or_none(settings_.sar, reference);
  exposure->tissues = dosimetry::scaled(std::move(measured.rows), exposure->scaling.factor);
  exposure->power = power_of_sar(exposure->scaling, power);
  add_tissues(s, *exposure, power.source_W);
  add_power_balance(s, power, settings_.remedy, settings_.unsteady_hint);
  if (settings_.ports != nullptr) add_port_power(s, at_ports.accepted_W, at_ports.incident_W);
  if (settings_.period == 0 && s.steps < 2 * (s.steps - settings_.period_begin))
    s.sections.push_back({io::Chapter::power,
                          SteadyState::section_title,
                          {io::Note{"Not measured: the run is shorter than two periods. The first period of a run is "
                                    "not a steady state."}}});
  if (!has_tissues(exposure->tissues)) return;
  results.exposure = exposure;
  if (settings_.write_sar)
    for (auto& quantity : sar_quantities(exposure, power.source_W, comm_))
      results.quantities.push_back(std::move(quantity));
}

solver::State Powers::save() const {
  solver::State state;
  state.set_numbers("work_before", {work_before_, work_latest_}, solver::State::Held::partial);
  return state;
}

void Powers::load(const solver::State& state, std::int64_t) {
  if (!state.has("work_before")) return;
  const auto& work = state.numbers("work_before");
  work_before_ = work.at(0);
  if (work.size() > 1) work_latest_ = work[1];
}

PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W) {
  PowerBalance p;
  p.source_W = source_W;
  p.absorbed_W = absorbed_W;
  p.outflow_W = outflow_W;
  const double reference = source_W != 0 ? source_W : absorbed_W;
  if (reference != 0) p.defect = (source_W - absorbed_W - outflow_W) / reference;
  return p;
}

void add_power_balance(io::Summary& s, const PowerBalance& power, const char* remedy, const char* hint) {
  constexpr double noticeable = 0.02;
  s.keys["power"] = Value::Object{{"source_W", power.source_W},
                                  {"absorbed_W", power.absorbed_W},
                                  {"outflow_W", power.outflow_W},
                                  {"defect", power.defect}};
  s.report["power_balance"] = Value::Object{{"mean_source_power_W", power.source_W},
                                            {"mean_absorbed_power_W", power.absorbed_W},
                                            {"mean_outflow_power_W", power.outflow_W},
                                            {"defect", power.defect}};
  if (const double defect = std::abs(power.defect.value_or(0)); defect > noticeable)
    log::warn("powers do not balance by {:.2f} %: the last period is not yet a steady state ({}){}", 100 * defect,
              remedy, hint);
  if (!power.source_W) return;
  const units::Unit unit = units::power(*power.source_W);
  io::Table table{{{""}, {fmt::format("Power [{}]", unit.name)}, {"Share"}}, {}};
  const auto add_row = [&](const char* name, const std::optional<double>& watts) {
    const auto share = watts && *power.source_W != 0 ? std::optional(*watts / *power.source_W) : std::nullopt;
    table.rows.push_back(
        {{name, watts ? io::number(*watts / unit.size) : io::absent, io::percent(share)}, share.value_or(0)});
  };
  add_row("Source", power.source_W);
  add_row("Absorbed", power.absorbed_W);
  add_row("Outflow", power.outflow_W);
  io::Entries defect{
      {{"Defect (source \u2212 absorbed \u2212 outflow, over source)", io::percent(power.defect), true}}};
  s.sections.push_back(
      {io::Chapter::power,
       "Power balance",
       {table, defect, io::Note{"Means over the last period, of the run as it is."}},
       fmt::format("power: source {:.6g} W = absorbed {:.6g} W + outflow {:.6g} W, defect {:.2f} %", *power.source_W,
                   *power.absorbed_W, *power.outflow_W, 100 * power.defect.value_or(0))});
}

void add_tissues(io::Summary& s, const dosimetry::Exposure& exposure, std::optional<double> source_W) {
  s.keys["sar"] = value_of(exposure.scaling);
  s.report["conventions"]["normalisation"] = dosimetry::power_text(exposure.scaling);
  const std::vector<TissueRow> rows = without_layers(exposure.tissues);
  s.keys["tissues"] = summary_value(rows);
  s.report["tissues"] = report_value(rows);
  if (rows.empty()) return;
  if (!has_tissues(exposure.tissues)) {
    s.sections.push_back({io::Chapter::power, "Absorbed power", {absorption_table(rows)}});
    return;
  }
  const io::Table table = tissue_table(rows);
  s.sections.push_back(
      {io::Chapter::dosimetry,
       "Tissues",
       {io::Note{scaling_note(exposure.scaling, source_W)}, table,
        io::Note{fmt::format("The largest local SAR is the largest mean over {}, at its {}; bars compare these.",
                             s.on_grid ? "a cell" : "an element", s.on_grid ? "centre" : "centroid")}},
       "SAR " + dosimetry::power_text(exposure.scaling) + ":\n" + io::text_of(table)});
}

std::vector<io::CellQuantity> sar_quantities(const std::shared_ptr<const dosimetry::Exposure>& exposure,
                                             std::optional<double> source_W, const parallel::Communicator& comm) {
  const auto entry = std::make_shared<const dosimetry::EntryFinder>(*exposure);
  const double maximum = dosimetry::largest_sar(*exposure, comm);
  const auto quantity = [&](std::string name, auto of_sar, std::string convention = {}) {
    const auto fill = [=](std::span<const std::size_t> places, double* values) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto found = (*entry)(places[i]);
        values[i] = of_sar(found ? dosimetry::local_sar(*exposure, *found) : 0);
      }
    };
    return io::CellQuantity{std::move(name), fill, std::move(convention)};
  };
  const auto over_maximum = [=](double sar) { return dosimetry::over_maximum(sar, maximum); };
  std::vector<io::CellQuantity> quantities;
  if (source_W.value_or(0) > 0)
    quantities.push_back(quantity("SAR_per_emitted_power_per_kg", [source = exposure->scaling.factor * *source_W](
                                                                      double sar) { return sar / source; }));
  quantities.push_back(quantity(
      "SAR_W_per_kg", [](double sar) { return sar; }, dosimetry::local_sar_text(exposure->scaling)));
  quantities.push_back(quantity("SAR_over_max", over_maximum));
  quantities.push_back(quantity("SAR_over_max_dB", [=](double sar) { return dosimetry::decibels(over_maximum(sar)); }));
  return quantities;
}

bool has_tissues(const std::vector<TissueRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.mass_kg > 0; });
}

}  // namespace dgtd::observers
