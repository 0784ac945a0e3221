#pragma once
// Elements of a mesh as pictures and the check of the steady state need them.
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

class MeshView final : public DomainView {
 public:
  /// tissue: [volume groups] which of them have a SAR. All references outlive the view.
  MeshView(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, std::vector<bool> tissue,
           const parallel::Communicator& comm)
      : solver_(solver), mesh_(mesh), tissue_(std::move(tissue)), comm_(comm) {}

  std::vector<PixelHit> slice(const PixelPlane& plane) const override;
  std::vector<std::vector<PixelHit>> surfaces(std::span<const SurfaceView> views,
                                              std::span<const std::size_t> places) const override;
  std::vector<PixelHit> lattice(const std::array<std::vector<double>, 3>& x) const override;
  std::vector<RegionFace> faces(const std::vector<bool>& of_regions) const override;
  std::vector<float> amplitudes(std::span<const std::size_t> places) const override;
  std::array<Vec3, 2> box(std::span<const std::size_t> places) const override;
  std::size_t watch(int count, std::span<const Box> boxes) override;
  bool watches_tissue() const override { return in_tissue_; }
  std::vector<Vec3> watched() const override;
  std::vector<std::int64_t> watched_numbers() const override;

 private:
  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  std::vector<bool> tissue_;
  const parallel::Communicator& comm_;
  std::vector<std::uint32_t> watched_;  // local elements in stored order
  bool in_tissue_ = false;
};

}  // namespace dgtd::observers
