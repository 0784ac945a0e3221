#pragma once
// Riccati-Bessel functions of complex argument, as ratios that neither overflow nor lose digits:
// psi_n(z) = z j_n(z), regular at 0, and xi_n(z) = z h_n^(1)(z), outgoing. Im z >= 0, z != 0.
#include <vector>

#include "support/complex_field.hpp"

namespace dgtd::exact {

/// psi_n(z) / psi_n(reference) and psi_n'(z) / psi_n(reference) (derivative by z) for n = 0 … order.
struct RadialFunctions {
  std::vector<Complex> value, derivative;
};

/// Scaled by the value at `reference`, which should have the larger modulus: a layer's outer radius.
RadialFunctions regular_functions(int order, Complex z, Complex reference);

/// The same of xi_n; `reference` should have the smaller modulus: a layer's inner radius.
RadialFunctions outgoing_functions(int order, Complex z, Complex reference);

/// psi_n(x) and xi_n(x) themselves, for a real argument.
RadialFunctions regular_functions(int order, double x);
RadialFunctions outgoing_functions(int order, double x);

}  // namespace dgtd::exact
