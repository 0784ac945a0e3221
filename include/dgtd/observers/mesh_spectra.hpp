#pragma once
// The Fourier sums of the whole domain on tetrahedra, sampled at the cells of monitors.
#include <memory>
#include <vector>

#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/mesh_cells.hpp"

namespace dgtd::observers {

class MeshSpectra final : public solver::RegionSpectra {
 public:
  /// order: of the solver's polynomials; plan: of its sums. Solver, mesh and communicator outlive the spectra.
  MeshSpectra(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order, FourierPlan plan,
              const parallel::Communicator& comm)
      : solver_(solver), mesh_(mesh), order_(order), plan_(std::move(plan)), comm_(comm) {}

  /// Throws Error (bad_input) for surfaces, for frequencies that the sums do not have and for grids of too many cells.
  std::size_t add_region(const solver::Region& region) override;
  const solver::RegionSamples& samples(std::size_t region) const override { return regions_[region].cells->samples(); }
  std::int64_t sampling_interval(std::size_t) const override { return 0; }
  void accumulate(std::size_t, double) override {}
  bool are_phasors() const override { return plan_.peak; }
  solver::RegionSums sums(std::size_t region, std::size_t frequency) const override;

  MeshCells::Coverage coverage(std::size_t region) const { return regions_[region].cells->coverage(); }

 private:
  struct Region {
    std::vector<std::size_t> frequencies;  // numbers of the sums
    std::unique_ptr<MeshCells> cells;
  };

  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  int order_;
  FourierPlan plan_;
  const parallel::Communicator& comm_;
  std::vector<Region> regions_;
};

}  // namespace dgtd::observers
