#include "dgtd/observers/powers.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

namespace {

// A run is not lost because its power cannot be scaled: its results then are as they are.
dosimetry::SarScaling scaling_or_none(const dosimetry::Normalisation& sar, const dosimetry::ReferencePowers& powers) {
  try {
    return dosimetry::scaling(sar, powers);
  } catch (const Error& error) {
    log::warn("{}; SAR is that of the run as it is", error.what());
    return {};
  }
}

}  // namespace

void Powers::finish(io::Results& results) {
  if (!results.summary.interruption.empty()) return;                    // the period is not complete
  const double work = comm_.sum(solver_.source_work() - work_before_);  // of the last period
  auto measured = meter_.measure();
  const auto exposure = std::make_shared<const dosimetry::Exposure>(std::move(measured.exposure));
  const auto& rows = measured.rows;
  double absorbed = 0;
  for (const auto& row : rows) absorbed += row.absorbed_W;
  io::Summary& s = results.summary;
  s.power = power_balance(work * settings_.frequency, absorbed, meter_.outflow());
  if (!settings_.work_is_measured) s.power.source_W.reset(), s.power.defect.reset();
  dosimetry::ReferencePowers reference;
  if (settings_.emits) reference.emitted_W = reference.accepted_W = s.power.source_W;
  reference.incident_W_per_m2 = settings_.incident_W_per_m2;
  s.sar = scaling_or_none(settings_.sar, reference);
  s.tissues = dosimetry::scaled(rows, s.sar.factor);
  if (has_tissues(rows)) results.exposure = exposure;
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

std::vector<io::CellQuantity> sar_quantities(const std::shared_ptr<const dosimetry::Exposure>& exposure,
                                             const dosimetry::SarScaling& scaling, const io::PowerBalance& power,
                                             const parallel::Communicator& comm) {
  const auto entry = std::make_shared<const dosimetry::EntryFinder>(*exposure);
  const double factor = scaling.factor, maximum = dosimetry::largest_sar(*exposure, comm) * factor;
  // of_sar: of the run's
  const auto quantity = [&](std::string name, auto of_sar, std::string convention = {}) {
    const auto fill = [=](std::span<const std::size_t> places, double* values) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto found = (*entry)(places[i]);
        values[i] = of_sar(found ? dosimetry::local_sar(*exposure, *found) : 0);
      }
    };
    return io::CellQuantity{std::move(name), fill, std::move(convention)};
  };
  const auto over_maximum = [=](double sar) { return dosimetry::over_maximum(sar * factor, maximum); };
  std::vector<io::CellQuantity> quantities;
  if (power.source_W && *power.source_W > 0)
    quantities.push_back(
        quantity("SAR_per_emitted_power_per_kg", [source = *power.source_W](double sar) { return sar / source; }));
  quantities.push_back(quantity(
      "SAR_W_per_kg", [=](double sar) { return sar * factor; }, dosimetry::power_text(scaling)));
  quantities.push_back(quantity("SAR_over_max", over_maximum));
  quantities.push_back(quantity("SAR_over_max_dB", [=](double sar) { return dosimetry::decibels(over_maximum(sar)); }));
  return quantities;
}

bool has_tissues(const std::vector<dosimetry::TissueRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.mass_kg > 0; });
}

}  // namespace dgtd::observers
