#pragma once
// Fourier sums of E and Z0 H in a list of elements, at frequencies of their own. The coefficients of the elements are
// summed where the fields are stored, so that a sample copies nothing to the host, and a field can be evaluated
// at any point of the elements afterwards.
#include <cstdint>
#include <span>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

template <class Real>
class LocalSums {
 public:
  /// elements: local, ascending in stored order, none twice; frequencies: Hz. d and executor outlive the sums.
  LocalSums(const Discretisation<Real>& d, Executor<Real>& executor, std::span<const std::uint32_t> elements,
            const std::vector<double>& frequencies);

  /// F += weight f(t) exp(i w t), f the present fields at the times t of the clock.
  void add(const Field<Real>& electric, const Field<Real>& magnetic, const solver::Clock& clock, double weight);
  /// [elements][points][3] of a real or imaginary part, V s/m or A s/m.
  void sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points, double* values) const;
  /// Array that a checkpoint keeps; number: of the sums, for the names.
  solver::PersistentArray persistent(std::size_t number);
  double memory_bytes() const { return index_.bytes() + angular_.bytes() + factors_.bytes() + totals_.bytes(); }
  /// The memory of such sums before they are made.
  static double memory_bytes(int order, std::size_t elements, std::size_t frequencies);

 private:
  std::size_t reals() const;                              // of an element, 3 Np
  std::size_t part_reals() const;                         // of a part of the totals
  std::size_t first_of(solver::Quantity quantity) const;  // in the totals

  const Discretisation<Real>* d_;
  Executor<Real>* executor_;
  std::vector<std::uint32_t> elements_;   // local
  parallel::Array<std::uint64_t> index_;  // [elements][3 Np] in a field
  parallel::Array<double> angular_;       // [frequency] rad/s
  Field<Real> factors_;                   // [E, H][frequency][2] of the present sample
  Field<Real> totals_;                    // [frequency][Re E, Im E, Re Z0 H, Im Z0 H][elements][3 Np]
};

}  // namespace dgtd::dg
