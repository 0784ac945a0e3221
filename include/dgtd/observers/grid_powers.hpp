#pragma once
// Absorbed powers, outflow and SAR on the cells of a Cartesian grid.
#include <optional>

#include "dgtd/grid/power_solver.hpp"
#include "dgtd/grid/tissue_cells.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/physics/material.hpp"

namespace dgtd::observers {

class GridPowers final : public PowerMeter {
 public:
  /// All references outlive the meter. materials: those of the media; box: where powers are measured. axes: along which
  /// the fields vary.
  GridPowers(const grid::PowerSolver& solver, const grid::Media& media, std::vector<physics::Material> materials,
             const solver::NodeBox& box, FourierPlan sums, int axes, const parallel::Communicator& comm)
      : solver_(solver),
        media_(media),
        materials_(std::move(materials)),
        box_(box),
        sums_(std::move(sums)),
        axes_(axes),
        comm_(comm) {}

  /// Powers of materials are those of the field's components, which balance; cells at an interface have one material
  /// each.
  Measured measure(std::size_t frequency) const override;
  double outflow(std::size_t frequency) const override { return solver_.outflow(frequency, box_); }
  /// The cells of the box around all tissue; their SAR is that of the exposure.
  VoxelSar voxels(const dosimetry::Exposure& exposure) const override;
  double voxel_count() const override;
  bool has_cubic_voxels() const override { return voxel_grid().is_uniform(); }
  ExposureBytes exposure_bytes() const override;
  std::vector<std::string> names() const override;
  std::vector<double> absorbed(std::size_t frequency) const override {
    return solver_.absorbed(frequency, media_, box_);
  }

 private:
  struct Tissue {
    grid::TissueCells cells;  // of this rank
    solver::NodeBox box;      // around that of all ranks; empty where the fields vary along fewer than three axes
  };
  /// Found once. Collective.
  const Tissue& tissue() const;
  dosimetry::VoxelGrid voxel_grid() const;  // without values

  const grid::PowerSolver& solver_;
  const grid::Media& media_;
  std::vector<physics::Material> materials_;
  solver::NodeBox box_;
  FourierPlan sums_;
  int axes_;
  const parallel::Communicator& comm_;
  mutable std::optional<Tissue> tissue_;
};

}  // namespace dgtd::observers
