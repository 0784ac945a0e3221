#pragma once
// A method on a Cartesian grid that measures powers and spectra.
#include "dgtd/fdtd/far_field.hpp"
#include "dgtd/fdtd/field_region.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::fdtd {

class PowerSolver : public grid::GridSolver {
 public:
  /// Energy a frequency through a flux monitor so far, J/Hz, all ranks; collective.
  virtual std::vector<double> flux(std::size_t monitor) const = 0;
  /// Far fields of the currents on a flux monitor's surface, [frequency], all ranks; collective.
  virtual std::vector<FarPattern> far_fields(std::size_t monitor, const std::vector<Direction>& directions,
                                             double permittivity, double permeability) const = 0;
  /// Keeps the spectra of E and H in a region from now on. Throws Error (bad_input) where the region does not fit the
  /// grid.
  virtual void add_monitor(const physics::Monitor& monitor) = 0;
  virtual MonitorExtent monitor_extent(std::size_t monitor) const = 0;
  /// Fields of a monitor at one of its frequencies so far, integrals over time. Collective.
  virtual MonitorFields monitor_fields(std::size_t monitor, std::size_t frequency) const = 0;
  /// Mean power that each material takes up inside a box at a frequency of the DFT: W where its phasors are peak
  /// values, a quarter of the energy a frequency (J/Hz, one-sided) where they are integrals over the run. [materials],
  /// all ranks; collective. What an interface cell takes up belongs to its lossy side.
  virtual std::vector<double> absorbed(std::size_t frequency, const grid::Media& media, const NodeBox& box) const = 0;
  /// Power out of the box in the same unit, all ranks; collective.
  virtual double outflow(std::size_t frequency, const NodeBox& box) const = 0;
  /// Power a volume that each of this rank's cells takes up, a mean over its twelve edges with what fills each of them;
  /// W/m^3 or the unit above over m^3. [cells], x fastest. Collective.
  virtual std::vector<double> absorbed_density(std::size_t frequency) const = 0;
};

}  // namespace dgtd::fdtd
