#pragma once
// Ports of type mode: a mode of a cross-section of any lossless media, sent to one side and measured.
#include <memory>

#include "dgtd/fdtd/sources.hpp"
#include "dgtd/grid/band_mode.hpp"
#include "dgtd/solver/port_mode.hpp"
#include "fdtd/sources/cross_section.hpp"

namespace dgtd::fdtd {

class SectionPort {
 public:
  /// Throws Error (bad_input) as BandMode.
  SectionPort(const grid::Setup& setup, CrossSection section, const physics::Port& port, double time_step,
              const parallel::Communicator& comm);

  /// How the mode is measured: on the nodes one cell ahead of its source, where all fields are total ones.
  static solver::PortMode measured(const std::shared_ptr<const SectionPort>& port);
  /// Source that sends the port's wave.
  template <class Real>
  DiscreteSource source(const grid::Setup& setup, const Discretisation<Real>& d) const;

 private:
  double half_phase(double frequency) const;  // beta d / 2, rad
  solver::ModeWave wave(const grid::SectionMode& mode, double frequency) const;
  std::vector<struct LaunchedPart> parts() const;

  CrossSection section_;
  physics::Port port_;
  double time_step_;    // s
  double measured_at_;  // m along the normal
  grid::BandMode mode_;
  std::vector<grid::SectionMode> at_frequencies_;  // [frequencies]
};

}  // namespace dgtd::fdtd
