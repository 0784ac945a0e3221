#pragma once
// Power balance and specific absorption rate (SAR) of a steady state.
#include <memory>
#include <optional>

#include "dgtd/io/results.hpp"
#include "dgtd/observers/port_powers.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// Means over the last period.
struct PowerBalance {
  std::optional<double> source_W, absorbed_W, outflow_W;
  std::optional<double> defect;  // (source - absorbed - outflow) / source
};

struct PowerSettings {
  std::int64_t period_begin = 0;  // step at which the last period begins
  std::int64_t period = 0;        // > 0: steps of a period, after any of which from period_begin on the run may end
  double frequency = 0;           // Hz, one over that period
  bool work_is_measured = true;   // of all sources of the run
  bool write_sar = true;          // as arrays of elements or cells
  dosimetry::Normalisation sar;
  // To which SAR can refer besides:
  bool emits = false;                        // the work of the sources is the power that dipoles and ports emit
  const PortPowers* ports = nullptr;         // where excited ports alone drive the fields
  std::optional<double> incident_W_per_m2;   // power density of the plane waves
  const char* remedy = "more time.periods";  // for a warning of a balance that is open
  const char* unsteady_hint = "";            // what else may open it
};

class Powers final : public solver::Observer {
 public:
  /// All references outlive the observer.
  Powers(PowerSettings settings, const PowerMeter& meter, const solver::Figures& solver,
         const parallel::Communicator& comm)
      : settings_(std::move(settings)), meter_(meter), solver_(solver), comm_(comm) {}

  /// The work of the sources is read where the last period begins, or every period.
  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  /// Keys and sections of the power balance and of tissues; the exposure; SAR as quantities.
  void finish(io::Results& results) override;
  std::string state_name() const override { return "powers"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  PowerSettings settings_;
  const PowerMeter& meter_;
  const solver::Figures& solver_;
  const parallel::Communicator& comm_;
  double work_before_ = 0, work_latest_ = 0;  // J, this rank's part, where the last period begins and at the last one
};

/// defect refers to the source's power, or without one to what is absorbed.
PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W);

/// Keys and section of a power balance; a warning of what does not balance, with a remedy and a hint.
void add_power_balance(io::Summary& summary, const PowerBalance& power, const char* remedy, const char* hint);

/// Keys and section of tissues at the power of the exposure, of which its scaling, tissues and power count. source_W:
/// of the run.
void add_tissues(io::Summary& summary, const dosimetry::Exposure& exposure, std::optional<double> source_W);

/// Tissues in summary.json, by name, and in report.json, a list; without added layers that absorb nothing.
io::Value summary_value(const std::vector<dosimetry::TissueRow>& tissues);
io::Value report_value(const std::vector<dosimetry::TissueRow>& tissues);

/// All rows with a mass together; the largest SAR of any.
dosimetry::TissueRow sum_of_tissues(const std::vector<dosimetry::TissueRow>& rows);

/// SAR of elements (cells) at the power of the exposure: over the emitted power where there is one, W/kg, over its
/// maximum. source_W: of the run. Collective.
std::vector<io::CellQuantity> sar_quantities(const std::shared_ptr<const dosimetry::Exposure>& exposure,
                                             std::optional<double> source_W, const parallel::Communicator& comm);

/// Whether any row has a mass.
bool has_tissues(const std::vector<dosimetry::TissueRow>& rows);

}  // namespace dgtd::observers
