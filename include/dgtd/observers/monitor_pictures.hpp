#pragma once
// Pictures of field monitors: |E| on a monitor's plane, or on a plane through the middle of its box, with the outlines
// of materials.
#include <optional>
#include <string>

#include "dgtd/io/section.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::observers {

struct MonitorPictureSettings {
  int pixels = 360;                    // of the longest side
  std::size_t most_frequencies = 9;    // of a monitor: the strongest one, and some of the others
  double bytes_of_others = 1'500'000;  // of a run, so that its page remains small
};

class MonitorPictures {
 public:
  /// incident: of the wave to which integrals over the run refer. View and communicator outlive the pictures.
  MonitorPictures(const DomainView& view, IncidentSpectrum incident, const parallel::Communicator& comm,
                  MonitorPictureSettings settings = {})
      : view_(view), incident_(std::move(incident)), comm_(comm), settings_(settings) {}

  /// |E| (or |H| of a monitor without E) at the frequency with the largest one, and folded at others, all on one scale;
  /// of integrals over the run relative to the incident wave where there is one. No blocks on ranks other than root,
  /// for a line of cells, and where there is no field. region: its number in the spectra. Collective.
  io::Section section(const physics::Monitor& monitor, std::size_t region, const solver::RegionSpectra& spectra);

  /// |E| of these values in a unit, at the cells of a plane or on a plane through the middle of a box. Nothing on ranks
  /// other than root, for a line of cells, and where there is no field. Collective.
  std::optional<io::PictureRow> of_plane(const solver::RegionCells& cells, const solver::RegionValues& electric,
                                         std::string title, std::string unit);

 private:
  const DomainView& view_;
  IncidentSpectrum incident_;
  const parallel::Communicator& comm_;
  MonitorPictureSettings settings_;  // the bytes are those that are left
};

}  // namespace dgtd::observers
