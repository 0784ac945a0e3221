#pragma once
// Ports across guides: a mode of the grid as a source to one side, and as what E and H in a plane are projected on.
#include <memory>

#include "dgtd/fdtd/sources.hpp"
#include "dgtd/solver/port_mode.hpp"
#include "fdtd/sources/transverse_mode.hpp"

namespace dgtd::fdtd {

/// The port's mode in the grid, with its numerical phase constant and impedance. Throws Error (bad_input) as
/// cross_section and transverse_mode, and for frequencies at which the mode is not a wave.
class GridMode {
 public:
  GridMode(const grid::Setup& setup, CrossSection section, const physics::Port& port, double time_step);

  /// Phase constant and V / I of a wave at E on a node and the mean of H at both sides of it.
  solver::ModeWave at(double frequency) const;
  /// E of 1 V at a place on the middle of an edge along that axis (0, 1: of the section), 1/m.
  double electric(const Vec3& place, int axis) const {
    return mode_.electric[std::size_t(axis)][std::size_t(section_.number_of(place, axis))];
  }
  const CrossSection& section() const { return section_; }
  double cut_off() const;  // Hz
  friend solver::PortMode measured_mode(const std::shared_ptr<const GridMode>& mode);
  /// Source that sends the port's wave.
  template <class Real>
  DiscreteSource source(const grid::Setup& setup, const Discretisation<Real>& d) const;

 private:
  struct Ratios {
    double half_phase;       // beta d / 2
    double wave_impedance;   // E over H half a cell beside it, ohm
  };
  Ratios ratios(double frequency) const;
  double grid_frequency(double frequency) const;  // 2 / dt sin(omega dt / 2), rad/s
  double sine_of_half_phase(double frequency) const;
  void check(double frequency) const;
  double way() const { return port_.direction[section_.normal]; }

  CrossSection section_;
  physics::Port port_;
  TransverseMode mode_;
  double time_step_;  // s
  double measured_at_;  // m along the normal
};

/// Measurement of the mode: on the nodes one cell ahead of its source, where all fields are total ones.
solver::PortMode measured_mode(const std::shared_ptr<const GridMode>& mode);

}  // namespace dgtd::fdtd
