#include "dgtd/observers/powers.hpp"

#include <algorithm>

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

namespace {
std::vector<float> to_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }
}  // namespace

void Powers::finish(io::Results& results) {
  const double work = comm_.sum(solver_.source_work() - work_before_);  // of the last period
  const auto exposure = meter_.exposure();
  const auto rows = meter_.tissues(exposure);
  double absorbed = 0;
  for (const auto& row : rows) absorbed += row.absorbed_W;
  io::Summary& s = results.summary;
  s.power = power_balance(work * settings_.frequency, absorbed, meter_.outflow());
  if (!settings_.work_is_measured) s.power.source_W.reset(), s.power.defect.reset();
  s.sar = dosimetry::scaling(settings_.sar, settings_.reference(s.power));
  s.tissues = dosimetry::scaled(rows, s.sar.factor);
  if (has_tissues(rows) && settings_.write_sar)
    for (auto& array : sar_arrays(exposure, s.sar, s.power, comm_)) results.cell_arrays.push_back(std::move(array));
}

solver::State Powers::save() const {
  solver::State state;
  state.set_numbers("work_before", {work_before_});
  return state;
}

void Powers::load(const solver::State& state) { work_before_ = state.numbers("work_before").at(0); }

io::PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W) {
  io::PowerBalance p;
  p.source_W = source_W;
  p.absorbed_W = absorbed_W;
  p.outflow_W = outflow_W;
  const double reference = source_W != 0 ? source_W : absorbed_W;
  if (reference != 0) p.defect = (source_W - absorbed_W - outflow_W) / reference;
  return p;
}

std::vector<io::Array> sar_arrays(const dosimetry::Exposure& x, const dosimetry::SarScaling& scaling,
                                  const io::PowerBalance& power, const parallel::Communicator& comm) {
  std::vector<io::Array> arrays;
  auto sar = dosimetry::local_sar(x);
  if (power.source_W && *power.source_W > 0)
    arrays.push_back({"SAR_per_emitted_power_per_kg", 1, to_float(dosimetry::over_power(sar, *power.source_W))});
  for (double& s : sar) s *= scaling.factor;
  const auto ratio = dosimetry::over_maximum(sar, dosimetry::largest(sar, comm));
  arrays.push_back({"SAR_W_per_kg", 1, to_float(sar)});
  arrays.push_back({"SAR_over_max", 1, to_float(ratio)});
  arrays.push_back({"SAR_over_max_dB", 1, to_float(dosimetry::decibels(ratio))});
  return arrays;
}

bool has_tissues(const std::vector<dosimetry::TissueRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.mass_kg > 0; });
}

}  // namespace dgtd::observers
