#pragma once
// Powers of complex fields between Bloch sides, which are those of two steady fields.
#include <cstddef>
#include <vector>

namespace dgtd::solver {

/// Complex fields are (F exp(-i w t) + conj(G) exp(i w t)) / 2 at a frequency of the Fourier sums (Figures::start_dft):
/// F is the steady field with the phases of the sides, whose sums the others are, and G that with the opposite phases. The
/// power that sources supply to the fields is the mean of the powers of F and G.
enum class Phases { own, opposite };

class PhasePowers {
 public:
  virtual ~PhasePowers() = default;
  /// Element means of |E|^2 of a peak phasor, V^2/m^2, [elements].
  virtual std::vector<double> mean_square_electric(std::size_t frequency, Phases phases) const = 0;
  /// Power that leaves through the absorbing boundary, W, this rank's part.
  virtual double outflow(std::size_t frequency, Phases phases) const = 0;
};

}  // namespace dgtd::solver
