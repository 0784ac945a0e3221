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
  Measured measure() const override;
  double outflow() const override { return solver_.outflow(0, box_); }
  /// The cells of the box around all tissue; their SAR is that of the exposure.
  VoxelSar voxels(const dosimetry::Exposure& exposure) const override;
  double voxel_count() const override;
  bool has_cubic_voxels() const override { return voxel_grid().is_uniform(); }
  ExposureBytes exposure_bytes() const override;
  /// Power absorbed in each material at a frequency: W of phasors, J/Hz (one-sided) of integrals over the run.
  /// [materials]. Collective.
  std::vector<double> absorbed(std::size_t frequency) const;

  const FourierPlan& sums() const { return sums_; }
  std::vector<std::string> names() const;  // [materials]

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

/// absorbed.csv: the power that each material absorbs at each frequency, where there are several or the sums are
/// integrals over the run.
class AbsorbedSpectrum final : public solver::Observer {
 public:
  /// The meter outlives the observer.
  explicit AbsorbedSpectrum(const GridPowers& meter) : meter_(meter) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  void finish(io::Results& results) override;

 private:
  const GridPowers& meter_;
};

}  // namespace dgtd::observers
