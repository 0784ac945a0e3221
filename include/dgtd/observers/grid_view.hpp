#pragma once
// Cells of a grid as pictures and the check of the steady state need them.
#include <string>

#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/grid_field_writer.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::observers {

class GridView final : public DomainView {
 public:
  /// tissue: [materials] which of them have a SAR. Solver and communicator outlive the view.
  GridView(grid::GridSolver& solver, io::CellMaterials materials, std::vector<bool> tissue,
           const parallel::Communicator& comm);

  std::vector<PixelHit> slice(const PixelPlane& plane) const override;
  std::vector<std::vector<PixelHit>> surfaces(std::span<const SurfaceView> views,
                                              std::span<const std::size_t> places) const override;
  std::vector<PixelHit> lattice(const std::array<std::vector<double>, 3>& x) const override;
  std::array<std::vector<double>, 3> voxel_nodes(const std::array<Vec3, 2>& box, double most) const override;
  std::vector<float> amplitudes(std::span<const std::size_t> places) const override;
  std::array<Vec3, 2> box(std::span<const std::size_t> places) const override;
  std::size_t watch(int count, std::span<const Box> boxes) override;
  bool watches_tissue() const override { return in_tissue_; }
  std::vector<Vec3> watched() const override;
  std::vector<std::int64_t> watched_numbers() const override;

 private:
  std::vector<PixelHit> surface(const PixelPlane& view, bool from_above, std::span<const std::size_t> places) const;
  using Cell = std::array<std::int64_t, 3>;  // of the grid
  Cell cell_of(std::size_t place) const;
  std::size_t place_of(const Cell& cell) const;
  std::int64_t id_of(const Cell& cell) const;
  Vec3 centre(const Cell& cell) const;
  int material(const Cell& cell) const { return materials_.at(centre(cell)); }

  grid::GridSolver& solver_;
  io::CellMaterials materials_;
  std::vector<bool> tissue_;
  const parallel::Communicator& comm_;
  std::array<std::vector<double>, 3> nodes_;  // [axis][cells + 1] m
  std::vector<std::string> probes_;           // of the chosen cells on this rank
  std::vector<std::int64_t> numbers_;         // of the same cells
  bool in_tissue_ = false;
};

}  // namespace dgtd::observers
