#pragma once
// The cells of a monitor or a snapshot on tetrahedra: a regular grid, at whose centres the polynomials of the elements
// are evaluated.
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/lattice_hits.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/region_spectra.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

/// Root has all cells. Cells whose centre is in no element have zeros; of several elements that share it the lowest
/// number counts.
class MeshCells {
 public:
  /// stored: all local elements in stored order; order: of the polynomials. Mesh and communicator outlive the cells.
  /// section: of the case file, for messages. Throws Error (bad_input) for too many cells.
  MeshCells(const physics::Monitor& monitor, const mesh::Subdomain& mesh, std::vector<std::uint32_t> stored, int order,
            const parallel::Communicator& comm, const char* section = "monitor");
  MeshCells(const MeshCells&) = delete;  // samples refer to the grid

  const solver::RegionSamples& samples() const { return samples_; }
  /// Local elements that hold centres, in stored order.
  std::vector<std::uint32_t> elements() const;

  /// Share of the region that is in the mesh. Collective.
  struct Coverage {
    double cells;   // of the region
    double inside;  // share of them whose centre is in the mesh, from some thousands of them; 0 exactly where none is
    double bytes;   // memory of this rank while the region is read and written, at most
  };
  Coverage coverage() const;

  /// Values of a part of a field at barycentric points of elements: [elements][points][3], V/m or A/m (or times s).
  using Sample = std::function<void(solver::Quantity::Field, solver::Quantity::Part,
                                    const std::vector<std::array<double, 4>>& points,
                                    const std::vector<std::uint32_t>& elements, double* values)>;
  /// The fields that the monitor keeps, sampled in elements(). Collective.
  solver::RegionSums sums(const Sample& sample) const;
  /// Present values of a field, sampled in elements(): on root [cells][3], elsewhere empty. Collective.
  std::vector<float> present(solver::Quantity::Field field, const Sample& sample) const;
  /// Frees what sums() and elements() have kept.
  void forget_hits() const { hits_.reset(); }

 private:
  struct Values;
  std::size_t count() const { return centres_[0].size() * centres_[1].size() * centres_[2].size(); }
  const std::vector<LatticeHit>& hits() const;
  void evaluate(solver::Quantity::Field field, solver::Quantity::Part part, const Sample& sample, int place,
                std::vector<Values>& values) const;
  std::vector<Values> gather(const std::vector<Values>& values) const;

  const mesh::Subdomain& mesh_;
  std::vector<std::uint32_t> stored_;
  int order_;
  const parallel::Communicator& comm_;
  bool electric_, magnetic_;                    // kept
  grid::CartesianGrid grid_;                    // one cell along the normal of a plane
  std::array<std::vector<double>, 3> centres_;  // m
  solver::RegionSamples samples_;
  mutable std::optional<std::vector<LatticeHit>> hits_;
};

}  // namespace dgtd::observers
