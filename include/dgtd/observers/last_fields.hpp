#pragma once
// A picture of the fields of a run on a grid that has no monitors: the first Fourier sum, or the fields at its end.
#include "dgtd/observers/box_cells.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/fourier_sums.hpp"

namespace dgtd::observers {

class LastFields final : public solver::Observer {
 public:
  /// On the layer of cells through the grid's middle, normal to z. View and solver outlive the observer. Throws Error
  /// (bad_input) for a grid without cells.
  LastFields(FourierPlan sums, const DomainView& view, const grid::GridSolver& solver);

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// |E| with the outlines of materials.
  void finish(io::Results& results) override;

 private:
  FourierPlan sums_;
  const DomainView& view_;
  const grid::GridSolver& solver_;
  GridBoxCells cells_;
};

}  // namespace dgtd::observers
