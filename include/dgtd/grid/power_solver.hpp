#pragma once
// A method on a Cartesian grid that measures powers and spectra.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  struct CellsOfMaterials {
    std::span<const std::size_t> number;      // in the block, x fastest
    std::span<const std::uint16_t> material;  // of each
    std::span<double> mean_square;            // of |E| in the material, V^2/m^2, or that unit's for integrals
  };
  /// The same, and the mean squares in some of this rank's cells. Collective.
  virtual std::vector<double> absorbed(std::size_t frequency, const Media& media, const solver::NodeBox& box,
                                       const CellsOfMaterials& cells) const = 0;
  /// Host memory that it needs besides. Collective.
  virtual double absorbed_bytes(double angular_frequency) const = 0;
};

}  // namespace dgtd::grid
