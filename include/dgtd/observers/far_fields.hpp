#pragma once
// Far fields from closed boxes: far_NAME.csv per direction and far_NAME_total.csv per frequency; antenna_NAME.csv with
// ports.
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/observers/fluxes.hpp"
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

  void finish(io::Results& results) override;
  double output_bytes() const override;

 private:
  physics::FarField far_;
  FarSurroundings around_;
  std::size_t surface_;  // in the spectra
  IncidentSpectrum incident_;
  DrivenSpectrum driven_;
  bool shows_bodies_;
};

}  // namespace dgtd::observers
