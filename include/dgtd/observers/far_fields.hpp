#pragma once
// Far fields from closed boxes: far_NAME.csv per direction and far_NAME_total.csv per frequency; antenna_NAME.csv with
// ports.
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::observers {

class FarFields final : public RegionObserver {
 public:
  /// Registers the boxes with the spectra, which outlive the observer. exterior: the lossless medium around them.
  /// shows_bodies: the report has patterns in three dimensions too.
  FarFields(std::vector<physics::FarField> far_fields, physics::Medium exterior, solver::RegionSpectra& spectra,
            IncidentSpectrum incident, bool shows_bodies);

  /// Ports drive the fields: each far field is that of an antenna, with antenna_NAME.csv.
  void driven_by(DrivenSpectrum ports) { driven_ = std::move(ports); }

  void finish(io::Results& results) override;
  double output_bytes() const override;

 private:
  struct Box {
    physics::FarField far;
    std::size_t surface;  // in the spectra
  };
  void write(const Box& box, io::Results& results) const;

  std::vector<Box> boxes_;
  physics::Medium exterior_;
  IncidentSpectrum incident_;
  DrivenSpectrum driven_;
  bool shows_bodies_;
};

}  // namespace dgtd::observers
