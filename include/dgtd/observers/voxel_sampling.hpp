#pragma once
// SAR on tetrahedra sampled at the centres of cubic voxels.
#include <array>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/material.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

class VoxelSampling {
 public:
  /// The box around all elements with a density, in voxels of this edge (m), whose grid has the box's centre.
  /// materials: [volume groups]. Mesh and communicator outlive it. Collective. Throws Error (bad_input) for more voxels
  /// than `most`; without tissue there are none.
  VoxelSampling(const mesh::Subdomain& mesh, std::vector<physics::Material> materials, double edge,
                const parallel::Communicator& comm);

  static constexpr double most = 2e9;  // voxels
  double count() const;
  /// Tissue, and factor sigma |E|^2 / (2 rho) of the peak phasor E, at the voxels' centres, with the exposure's factor,
  /// conductivities and frequency; of several elements that share one the lowest number counts. Collective; complete on
  /// root.
  VoxelSar sample(const solver::ElementSolver& solver, int order, const dosimetry::Exposure& exposure) const;

 private:
  struct Value;
  std::vector<Value> local_values(const solver::ElementSolver& solver, int order,
                                  const dosimetry::Exposure& exposure) const;
  bool is_tissue(std::uint16_t group) const { return materials_[group].density.value_or(0) > 0; }

  const mesh::Subdomain& mesh_;
  std::vector<physics::Material> materials_;
  const parallel::Communicator& comm_;
  std::array<std::vector<double>, 3> nodes_, centres_;  // m, along the axes
};

}  // namespace dgtd::observers
