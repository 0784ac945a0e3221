#pragma once
// Indicators of the error in space of each element's fields, and the estimate that is made of them (docs/theory.md,
// "Estimate of the error").
#include <cstddef>
#include <optional>
#include <vector>

#include "dgtd/solver/solver.hpp"

namespace dgtd::solver {

/// Indicators of one field, E or Z0 H, in this rank's elements. Unit of all: (V/m)^2 m^3; of Fourier integrals (V
/// s/m)^2 m^3.
struct FieldIndicators {
  int degrees = 0;             // p + 1
  std::vector<double> energy;  // [elements][degrees] squared norm of the part of each polynomial degree
  /// [elements] squared norm of the least polynomials of degree p whose tangential traces are half of the field's jumps
  /// at the faces of the element: the distance from there to the mean of both sides.
  std::vector<double> jump;

  std::size_t elements() const { return jump.size(); }
  double part(std::size_t element, int degree) const {
    return energy[element * static_cast<std::size_t>(degrees) + static_cast<std::size_t>(degree)];
  }
  double squared_norm(std::size_t element) const;
  double highest_part(std::size_t element) const { return part(element, degrees - 1); }
};

class ErrorIndicators {
 public:
  virtual ~ErrorIndicators() = default;
  /// Indicators of the peak phasor or integral of a frequency of the Fourier sums, without one of the present field.
  /// The fields do not change. Collective.
  virtual FieldIndicators error_indicators(Quantity::Field field, std::optional<std::size_t> frequency) const = 0;
  /// Host memory that this takes with its result, bytes, this rank.
  virtual double error_indicator_bytes() const = 0;
};

/// Estimates of the squared norm of the error of both fields in each element, [elements], in the unit of the
/// indicators.
struct SquaredErrors {
  std::vector<double> electric, magnetic;
};
SquaredErrors estimate_errors(const FieldIndicators& electric, const FieldIndicators& magnetic);

}  // namespace dgtd::solver
