#pragma once
// Indicators of the error in space of each element's fields, and the estimate that is made of them (docs/theory.md,
// "Estimate of the error").
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dgtd/solver/solver.hpp"

namespace dgtd::solver {

/// Indicators of one field, E or Z0 H, in this rank's elements. Unit of all: (V/m)^2 m^3; of Fourier integrals (V
/// s/m)^2 m^3.
struct FieldIndicators {
  int degrees = 0;             // p + 1, of the highest order
  std::vector<double> energy;  // [elements][degrees] squared norm of the part of each polynomial degree
  /// [elements] squared norm of the least polynomials of degree p whose tangential traces are half of the field's jumps
  /// at the faces of the element: the distance from there to the mean of both sides.
  std::vector<double> jump;
  std::vector<std::uint8_t> order = {};  // [elements] p; empty: all elements have the same one

  std::size_t elements() const { return jump.size(); }
  double part(std::size_t element, int degree) const {
    return energy[element * static_cast<std::size_t>(degrees) + static_cast<std::size_t>(degree)];
  }
  double squared_norm(std::size_t element) const;
  int order_of(std::size_t element) const { return order.empty() ? degrees - 1 : order[element]; }
  double highest_part(std::size_t element) const { return part(element, order_of(element)); }
};

/// Estimate of an element in a run, from which orders of another run are chosen.
struct ElementError {
  std::uint8_t order = 0;
  float error = 0;  // norm of its error over the norm of the fields in all elements
  float decay = 0;  // ratio, 0 to 1, in which the parts of degrees p + 1 and p are expected
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
/// Squared ratio, at most 1, in which the parts of degrees p + 1 and p of an element's fields are expected.
double squared_decay(const FieldIndicators& electric, const FieldIndicators& magnetic, std::size_t element);
SquaredErrors estimate_errors(const FieldIndicators& electric, const FieldIndicators& magnetic);

}  // namespace dgtd::solver
