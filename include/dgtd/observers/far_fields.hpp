#pragma once
// Far fields from closed boxes: far_NAME.csv per direction and far_NAME_total.csv per frequency; antenna_NAME.csv with
// ports.
#include <optional>
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/physics/medium.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

/// Surroundings of the box of a far field.
struct FarSurroundings {
  physics::Medium exterior;                // lossless
  std::vector<solver::ImagePlane> images;  // where the box ends at mirrors
};

class FarFields final : public RegionObserver {
 public:
  /// Registers the box with the spectra, which outlive the observer. shows_bodies: the report has patterns in three
  /// dimensions too.
  FarFields(physics::FarField far, FarSurroundings around, solver::RegionSpectra& spectra, IncidentSpectrum incident,
            bool shows_bodies);

  /// Ports drive the fields: each far field is that of an antenna, with antenna_NAME.csv.
  void driven_by(DrivenSpectrum ports) { driven_ = std::move(ports); }

  /// Absorbed powers of antennas come from this meter, which outlives the observer, at the frequencies of its sums.
  void absorbed_by(const PowerMeter& meter, FourierPlan sums) { meter_ = &meter, sums_ = std::move(sums); }

  void finish(io::Results& results) override;
  double output_bytes() const override;

 private:
  /// Energy that all materials absorb at a frequency, J/Hz, one-sided; nothing where the sums do not have it.
  /// Collective.
  std::optional<double> absorbed_at(double frequency, const io::Summary& summary) const;

  physics::FarField far_;
  FarSurroundings around_;
  std::size_t surface_;  // in the spectra
  IncidentSpectrum incident_;
  DrivenSpectrum driven_;
  const PowerMeter* meter_ = nullptr;  // null: absorbed powers are not measured
  FourierPlan sums_;                   // of the meter
  bool shows_bodies_;
};

}  // namespace dgtd::observers
