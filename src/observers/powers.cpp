#include "dgtd/observers/powers.hpp"

#include <algorithm>
#include <memory>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

namespace {

// A run is not lost because its power cannot be scaled: its results then are as they are.
template <class Powers>
dosimetry::SarScaling scaling_or_none(const dosimetry::Normalisation& sar, const Powers& powers) {
  try {
    return dosimetry::scaling(sar, powers());
  } catch (const Error& error) {
    log::warn("{}; SAR is that of the run as it is", error.what());
    return {};
  }
}

}  // namespace

void Powers::finish(io::Results& results) {
  if (!results.summary.interruption.empty()) return;                    // the period is not complete
  const double work = comm_.sum(solver_.source_work() - work_before_);  // of the last period
  const auto kept = std::make_shared<const dosimetry::Exposure>(meter_.exposure());
  const auto& exposure = *kept;
  const auto rows = meter_.tissues(exposure);
  double absorbed = 0;
  for (const auto& row : rows) absorbed += row.absorbed_W;
  io::Summary& s = results.summary;
  s.power = power_balance(work * settings_.frequency, absorbed, meter_.outflow());
  if (!settings_.work_is_measured) s.power.source_W.reset(), s.power.defect.reset();
  s.sar = scaling_or_none(settings_.sar, [&] { return settings_.reference(s.power); });
  s.tissues = dosimetry::scaled(rows, s.sar.factor);
  if (has_tissues(rows)) results.exposure = kept;
  if (has_tissues(rows) && settings_.write_sar)
    for (auto& quantity : sar_quantities(exposure, s.sar, s.power, comm_))
      results.quantities.push_back(std::move(quantity));
}

solver::State Powers::save() const {
  solver::State state;
  state.set_numbers("work_before", {work_before_}, solver::State::Held::partial);
  return state;
}

void Powers::load(const solver::State& state, std::int64_t) {
  if (state.has("work_before")) work_before_ = state.numbers("work_before").at(0);
}

io::PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W) {
  io::PowerBalance p;
  p.source_W = source_W;
  p.absorbed_W = absorbed_W;
  p.outflow_W = outflow_W;
  const double reference = source_W != 0 ? source_W : absorbed_W;
  if (reference != 0) p.defect = (source_W - absorbed_W - outflow_W) / reference;
  return p;
}

std::vector<io::CellQuantity> sar_quantities(const dosimetry::Exposure& x, const dosimetry::SarScaling& scaling,
                                             const io::PowerBalance& power, const parallel::Communicator& comm) {
  const auto sar = std::make_shared<const std::vector<double>>(dosimetry::local_sar(x));  // of the run
  const double factor = scaling.factor, maximum = dosimetry::largest(*sar, comm) * factor;
  const auto over_maximum = [=](std::size_t i) { return dosimetry::over_maximum((*sar)[i] * factor, maximum); };
  std::vector<io::CellQuantity> quantities;
  if (power.source_W && *power.source_W > 0)
    quantities.push_back(
        {"SAR_per_emitted_power_per_kg", [=, source = *power.source_W](std::size_t i) { return (*sar)[i] / source; }});
  quantities.push_back(
      {"SAR_W_per_kg", [=](std::size_t i) { return (*sar)[i] * factor; }, dosimetry::power_text(scaling)});
  quantities.push_back({"SAR_over_max", over_maximum});
  quantities.push_back({"SAR_over_max_dB", [=](std::size_t i) { return dosimetry::decibels(over_maximum(i)); }});
  return quantities;
}

bool has_tissues(const std::vector<dosimetry::TissueRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.mass_kg > 0; });
}

}  // namespace dgtd::observers
