#pragma once
// Fourier sums on tetrahedra, sampled at the cells of regular grids in planes and boxes.
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/lattice_hits.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::observers {

/// The sums are those of the whole domain (FourierSums); root has all cells. Cells whose centre is in no element have
/// zeros; of several elements that share it the lowest number counts.
class MeshSpectra final : public solver::RegionSpectra {
 public:
  /// order: of the solver's polynomials; plan: of its sums. Solver, mesh and communicator outlive the spectra.
  MeshSpectra(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order, FourierPlan plan,
              const parallel::Communicator& comm)
      : solver_(solver), mesh_(mesh), order_(order), plan_(std::move(plan)), comm_(comm) {}

  /// Throws Error (bad_input) for surfaces, for frequencies that the sums do not have and for grids of too many cells.
  std::size_t add_region(const solver::Region& region) override;
  const solver::RegionSamples& samples(std::size_t region) const override { return regions_[region].samples; }
  std::int64_t sampling_interval(std::size_t) const override { return 0; }
  void accumulate(std::size_t, double) override {}
  bool are_phasors() const override { return plan_.peak; }
  /// How much of a region is in the mesh. Collective.
  struct Coverage {
    double cells;   // of the region
    double inside;  // share of them whose centre is in the mesh, from some thousands of them; 0 exactly where none is
    double bytes;   // memory of this rank while the region is read and written, at most
  };
  Coverage coverage(std::size_t region) const;
  solver::RegionSums sums(std::size_t region, std::size_t frequency) const override;

 private:
  struct Cells {
    bool electric, magnetic;                     // kept
    std::vector<std::size_t> frequencies;        // numbers of the sums
    grid::CartesianGrid grid;                    // of the region; one cell along the normal of a plane
    std::array<std::vector<double>, 3> centres;  // m
    solver::RegionSamples samples;
    std::size_t count() const { return centres[0].size() * centres[1].size() * centres[2].size(); }
  };
  struct Values;
  const std::vector<LatticeHit>& hits_of(std::size_t region) const;

  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  int order_;
  FourierPlan plan_;
  const parallel::Communicator& comm_;
  std::deque<Cells> regions_;  // samples refer to grids
  struct Hits {
    std::size_t region;
    std::vector<LatticeHit> list;
  };
  mutable std::optional<Hits> hits_;  // of the last sums()
};

}  // namespace dgtd::observers
