#pragma once
// Work of the sources' currents at the frequencies of a run's Fourier sums (Figures::start_dft): the power to which the
// specific absorption rate of a pulse refers.
#include <cstddef>

namespace dgtd::solver {

class CurrentSpectra {
 public:
  virtual ~CurrentSpectra() = default;
  /// -1/2 Re conj(J) . E integrated over the currents of all dipoles, this rank's part, with the Fourier integrals over
  /// the run so far of J and of E: a quarter of the energy per frequency that they have supplied, J/Hz (one-sided), so
  /// that it is to the run's sums what the emitted power is to phasors. The sums are integrals, from the first step on.
  /// Collective.
  virtual double current_work(std::size_t frequency) const = 0;
};

}  // namespace dgtd::solver
