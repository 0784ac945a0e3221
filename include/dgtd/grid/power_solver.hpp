#pragma once
// A method on a Cartesian grid that measures powers and spectra.
#include <span>

#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::grid {

class PowerSolver : public GridSolver, public solver::RegionSpectra {
 public:
  /// Mean power that each material absorbs inside a box at a frequency of the DFT: W where its phasors are peak values,
  /// a quarter of the energy per frequency (J/Hz, one-sided) where they are integrals over the run. [materials], all
  /// ranks; collective. What an interface cell absorbs belongs to its lossy side.
  virtual std::vector<double> absorbed(std::size_t frequency, const Media& media, const solver::NodeBox& box) const = 0;
  /// Power out of the box in the same unit, all ranks; collective.
  virtual double outflow(std::size_t frequency, const solver::NodeBox& box) const = 0;
  /// The same, and the power per volume that some of this rank's cells absorb, a mean over a cell's twelve edges with
  /// what fills each of them; W/m^3 or the unit above over m^3. cells: numbers in the block, x fastest; densities:
  /// [cells]. Collective.
  virtual std::vector<double> absorbed(std::size_t frequency, const Media& media, const solver::NodeBox& box,
                                       std::span<const std::size_t> cells, std::span<double> densities) const = 0;
  /// Host memory that it needs besides. Collective.
  virtual double absorbed_bytes(double angular_frequency) const = 0;
};

}  // namespace dgtd::grid
