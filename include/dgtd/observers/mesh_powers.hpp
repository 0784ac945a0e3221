#pragma once
// Absorbed powers, outflow and SAR on tetrahedra.
#include <optional>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/observers/voxel_sampling.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/phases.hpp"

namespace dgtd::observers {

class MeshPowers final : public PowerMeter {
 public:
  /// materials: [volume groups]; frequencies: of the sums, Hz; order: of the solver's polynomials; voxels: where SAR is
  /// averaged over masses; phases: of the solver where its fields are complex, else null. All references outlive the
  /// meter.
  MeshPowers(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, std::vector<physics::Material> materials,
             std::vector<double> frequencies, int order, std::optional<VoxelSampling> voxels,
             const parallel::Communicator& comm, const solver::PhasePowers* phases = nullptr)
      : solver_(solver),
        mesh_(mesh),
        materials_(std::move(materials)),
        frequencies_(std::move(frequencies)),
        order_(order),
        voxels_(std::move(voxels)),
        comm_(comm),
        phases_(phases) {}

  Measured measure(std::size_t frequency) const override;
  double outflow(std::size_t frequency) const override { return comm_.sum(solver_.outflow(frequency)); }
  std::optional<double> loss_of_opposite_phases(std::size_t frequency) const override;
  VoxelSar voxels(const dosimetry::Exposure& exposure) const override {
    return voxels_->sample(solver_, order_, exposure);
  }
  bool has_cubic_voxels() const override { return true; }
  double voxel_count() const override { return voxels_ ? voxels_->count() : 0; }
  ExposureBytes exposure_bytes() const override;
  std::vector<std::string> names() const override { return mesh_.volume_names; }
  std::vector<double> absorbed(std::size_t frequency) const override {
    return absorbed_of(frequency, solver_.mean_square_electric(frequency));
  }

 private:
  /// This rank's elements that absorb or have a mass.
  dosimetry::Exposure exposure_at(std::size_t frequency, const std::vector<double>& mean_square) const;
  std::vector<double> absorbed_of(std::size_t frequency, const std::vector<double>& mean_square) const;

  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  std::vector<physics::Material> materials_;
  std::vector<double> frequencies_;
  int order_;
  std::optional<VoxelSampling> voxels_;
  const parallel::Communicator& comm_;
  const solver::PhasePowers* phases_;
};

}  // namespace dgtd::observers
