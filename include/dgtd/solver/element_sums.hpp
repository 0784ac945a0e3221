#pragma once
// Fourier sums of E and H in lists of elements, each list with frequencies of its own: integrals over a run, beside the
// sums of the whole domain (Figures).
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dgtd/solver/solver.hpp"

namespace dgtd::solver {

class ElementSums {
 public:
  virtual ~ElementSums() = default;
  /// Starts sums in local elements, ascending in stored order (ElementSolver), none twice; a rank may have none.
  /// frequencies: Hz. Returns their number, which is the same on all ranks. Collective.
  virtual std::size_t add_sums(std::span<const std::uint32_t> elements, const std::vector<double>& frequencies) = 0;
  /// Memory of this rank that such sums take, bytes.
  virtual double sums_bytes(std::size_t elements, std::size_t frequencies) const = 0;
  /// Adds the present fields, each at its time of the clock, weighted by the seconds that the sample represents.
  virtual void accumulate_sums(std::size_t sums, double weight) = 0;
  /// Parts of the sums at the same barycentric points of all their elements: [elements][points][3], V s/m or A s/m.
  /// quantity.frequency: among those of the sums.
  virtual void sample_sums(std::size_t sums, Quantity quantity, const std::vector<std::array<double, 4>>& points,
                           double* values) const = 0;
};

}  // namespace dgtd::solver
