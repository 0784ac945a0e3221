#pragma once
// SAR at the frequencies of Fourier integrals over a run, each for a power that the dipoles or ports give there: one
// pulse in place of a steady state per frequency.
#include <memory>
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/mass_averaging.hpp"
#include "dgtd/observers/powers.hpp"
#include "dgtd/solver/current_spectra.hpp"

namespace dgtd::observers {

struct SarSpectrumSettings {
  dosimetry::Normalisation sar;    // emitted, accepted or incident at port
  MassAveragingSettings averages;  // without masses SAR is not averaged; write_file: SAR in files
  DrivenSpectrum driven = {};      // of excited ports, in place of dipoles
};

class SarSpectrum final : public solver::Observer {
 public:
  /// sums: integrals over the run. Meter and currents outlive the observer.
  SarSpectrum(SarSpectrumSettings settings, FourierPlan sums, const PowerMeter& meter,
              const solver::CurrentSpectra& currents)
      : settings_(std::move(settings)), sums_(std::move(sums)), meter_(meter), currents_(currents) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// sar.csv, keys and sections: tissues, averages and the balance of energies at each frequency, ascending; SAR as
  /// quantities. A frequency at which the sources emit nothing has no SAR, with a warning, as has a balance that is off
  /// by more than 2 %.
  void finish(io::Results& results) override;
  /// The voxels of each frequency.
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;
  double output_bytes() const override;

 private:
  struct AtFrequency {
    double frequency;                                     // Hz
    PowerBalance energies;                                // of the pulse, one-sided, J/Hz in place of W
    std::string suffix;                                   // of names
    std::shared_ptr<const dosimetry::Exposure> exposure;  // this rank's
    std::shared_ptr<const io::AveragedVoxels> voxels;     // on root, where SAR is averaged
  };
  std::vector<AtFrequency> measured(const parallel::Communicator& comm) const;
  void write_table(io::Results& results) const;

  SarSpectrumSettings settings_;
  FourierPlan sums_;
  const PowerMeter& meter_;
  const solver::CurrentSpectra& currents_;
  std::vector<AtFrequency> rows_;
};

}  // namespace dgtd::observers
