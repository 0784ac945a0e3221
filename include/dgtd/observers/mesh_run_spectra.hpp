#pragma once
// Fourier integrals over a whole run on tetrahedra, in the elements of surfaces and monitors.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/observers/mesh_cells.hpp"
#include "dgtd/observers/mesh_surface.hpp"
#include "dgtd/solver/element_sums.hpp"

namespace dgtd::observers {

/// Sums of the coefficients of the elements that a region cuts (solver::ElementSums). Surfaces are evaluated at the
/// Gauss points of mesh_surface(), so a flux is the exact integral of the polynomials' E x H.
class MeshRunSpectra final : public solver::RegionSpectra {
 public:
  struct Domain {
    const solver::ElementSolver& solver;
    solver::ElementSums& sums;  // of the same solver
    const mesh::Subdomain& mesh;
    int order;
    double highest_frequency;  // Hz, of the sources: samples must not alias
    const parallel::Communicator& comm;
    Mirrors mirrors = {};  // where boxes have no faces
  };
  /// Checks the memory of a region's sums on this rank before it is allocated. Collective.
  using CheckMemory = std::function<void(double bytes, const std::string& name)>;

  /// Solver, mesh and communicator outlive the spectra.
  MeshRunSpectra(const Domain& domain, CheckMemory check) : domain_(domain), check_(std::move(check)) {}

  /// Throws Error (bad_input) for surfaces of which a part is outside of the mesh, and for grids of too many cells.
  /// Collective.
  std::size_t add_region(const solver::Region& region) override;
  const solver::RegionSamples& samples(std::size_t region) const override;
  std::int64_t sampling_interval(std::size_t region) const override;
  void accumulate(std::size_t region, double weight) override;
  bool are_phasors() const override { return false; }
  solver::RegionSums sums(std::size_t region, std::size_t frequency) const override;

  /// Share of a monitor that is in the mesh. Collective.
  MeshCells::Coverage coverage(std::size_t region) const { return regions_[region].cells->coverage(); }

 private:
  struct Region {
    std::vector<std::uint32_t> elements;  // local, in stored order
    std::size_t sums;                     // number in ElementSums
    std::unique_ptr<MeshCells> cells;     // of a monitor, else null
    std::vector<SurfacePoint> points;     // of a surface
    solver::RegionSamples of_surface;
  };
  solver::RegionSums surface_sums(const Region& region, std::size_t frequency) const;
  std::vector<std::optional<dg::ElementGeometry>> curved_elements(const std::vector<std::uint32_t>& elements) const;

  Domain domain_;
  CheckMemory check_;
  std::vector<Region> regions_;
};

}  // namespace dgtd::observers
