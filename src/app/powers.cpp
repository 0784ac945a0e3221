#include "dgtd/app/powers.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/incident_power.hpp"
#include "dgtd/dosimetry/table.hpp"

namespace dgtd::app {

namespace {
std::vector<float> to_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }
}  // namespace

io::PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W) {
  io::PowerBalance p;
  p.source_W = source_W;
  p.absorbed_W = absorbed_W;
  p.outflow_W = outflow_W;
  const double reference = source_W != 0 ? source_W : absorbed_W;
  if (reference != 0) p.defect = (source_W - absorbed_W - outflow_W) / reference;
  return p;
}

std::optional<double> incident_power(const config::Case& c, const config::Material& exterior) {
  if (c.sar.normalise != config::Sar::Normalise::incident || c.dft.frequencies.empty()) return {};
  auto sources = c.sources;
  // On grids a wave's phase is that of its total-field box.
  if (!c.solver.method.has.tetrahedra)
    for (auto& s : sources) s.position = {};
  return dosimetry::incident_power_density(sources, c.dft.frequencies.front(), {exterior.eps_r, exterior.mu_r});
}

dosimetry::ReferencePowers reference_powers(const config::Case& c, const io::PowerBalance& power,
                                            const config::Material& exterior) {
  dosimetry::ReferencePowers r;
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::dipole) r.emitted_W = r.accepted_W = power.source_W;
  r.incident_W_per_m2 = incident_power(c, exterior);
  return r;
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

void print_powers(const io::Summary& s, const char* hint) {
  if (s.power.source_W) {
    log::info("power: source {:.6g} W = absorbed {:.6g} W + outflow {:.6g} W, defect {:.2f} %", *s.power.source_W,
              *s.power.absorbed_W, *s.power.outflow_W, 100 * s.power.defect.value_or(0));
    constexpr double noticeable = 0.02;
    if (std::abs(s.power.defect.value_or(0)) > noticeable)
      log::info("  powers that do not balance: the last period is not yet a steady state (more time.periods){}", hint);
  }
  if (has_tissues(s.tissues)) log::info("{}", dosimetry::format_table(s.tissues));
}

}  // namespace dgtd::app
