#pragma once
// A method on a Cartesian grid, beyond Solver: its grid, this rank's block and values of cells.
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::grid {

/// One field at the centres of this rank's cells, box by box.
class CellSampler {
 public:
  virtual ~CellSampler() = default;
  /// [cells of the box][3] with x fastest, V/m or A/m. first, count: cells of this rank's block. It uses all threads;
  /// a device's field is copied for the box only.
  virtual void sample(const std::array<int, 3>& first, const std::array<int, 3>& count, double* values) = 0;
};

class GridSolver : public solver::Solver {
 public:
  virtual const CartesianGrid& grid() const = 0;
  virtual const Block& block() const = 0;
  /// At the centres of this rank's cells, x fastest: [cells][3], V/m or A/m. Collective.
  virtual std::vector<float> sample_cells(solver::Quantity quantity) const = 0;
  /// The same in boxes; valid until the fields change. Collective.
  virtual std::unique_ptr<CellSampler> cell_sampler(solver::Quantity quantity) const;

  /// A probe samples the centre of the cell that holds the point. All ranks add the same probes: a probe in the last
  /// cell of a block also requires values of the next block. Throws Error (bad_input) for a point outside the grid.
  bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) override;

 protected:
  using ProbeCells = std::map<std::string, std::array<int, 3>>;
  /// Values of cells of this rank's block: [cells][values per cell].
  using CellValues = std::function<std::vector<double>(const std::vector<std::array<int, 3>>& cells)>;

  /// Cell of this rank's block that contains a probe of this rank.
  const std::array<int, 3>& probe_cell(const std::string& name) const { return probe_cells_.at(name); }
  const ProbeCells& probe_cells() const { return probe_cells_; }
  /// Values of the cells above this rank's probes along an axis, where these cells are of the next block (or, around a
  /// periodic axis, of this one): by probe, [values per cell]. Collective.
  std::map<std::string, std::vector<double>> values_above_probes(int axis, std::size_t values_per_cell,
                                                                 const CellValues& values,
                                                                 const parallel::Communicator& comm) const;

 private:
  ProbeCells probe_cells_;
  std::array<ProbeCells, 3> cells_above_;  // [axis] of this block, each above a probe's cell of the block below
};

}  // namespace dgtd::grid
