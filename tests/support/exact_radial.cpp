#include "support/exact_radial.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::exact {
namespace {

constexpr Complex i{0, 1};

// Recurrence of Abramowitz and Stegun 10.1.19, f_{n-1} + f_{n+1} = (2n+1)/z f_n, for the ratio
// psi_{n-1} / psi_n: r_n = (2n+1)/z - 1/r_{n+1}, downwards, where it is stable (Lentz 1976, Applied
// Optics 15, 668). Any start far above both the order and |z| is forgotten on the way.
std::vector<Complex> regular_ratios(int order, Complex z) {
  const int start =
      std::max(order, static_cast<int>(std::abs(z))) + 40 + static_cast<int>(std::sqrt(100 * std::abs(z)));
  std::vector<Complex> ratios(order + 1);
  Complex ratio = (2.0 * start + 1.0) / z;
  for (int n = start - 1; n >= 0; --n) {
    ratio = (2.0 * n + 1.0) / z - 1.0 / ratio;
    if (n <= order) ratios[n] = ratio;
  }
  return ratios;
}

// The same recurrence for xi_n / xi_{n-1}, upwards from xi_0 / xi_{-1} = -i: stable, as |xi_n| grows.
std::vector<Complex> outgoing_ratios(int order, Complex z) {
  std::vector<Complex> ratios(order + 1);
  ratios[0] = -i;
  for (int n = 0; n < order; ++n) ratios[n + 1] = (2.0 * n + 1.0) / z - 1.0 / ratios[n];
  return ratios;
}

// exp(iz) psi_0, bounded for Im z >= 0. Next to a zero of psi_0 = sin z it is taken from psi_{-1} = cos z
// and the recurrence's own psi_{-1} / psi_0, so that the zero lies where the recurrence has it.
Complex scaled_order_zero(Complex z, Complex ratio) {
  const Complex turn = std::exp(i * z);
  const Complex sine = z.imag() < 1 ? turn * std::sin(z) : (turn * turn - 1.0) / (2.0 * i);
  const Complex cosine = z.imag() < 1 ? turn * std::cos(z) : (turn * turn + 1.0) / 2.0;
  return std::abs(sine) < std::abs(cosine) ? cosine / ratio : sine;
}

// psi_n' = psi_{n-1} - n/z psi_n (Abramowitz and Stegun 10.1.21).
RadialFunctions regular_from(Complex order_zero, const std::vector<Complex>& at_z,
                             const std::vector<Complex>& at_reference, Complex z) {
  RadialFunctions f;
  for (std::size_t n = 0; n < at_z.size(); ++n) {
    f.value.push_back(n == 0 ? order_zero : f.value[n - 1] * (at_reference[n] / at_z[n]));
    f.derivative.push_back(f.value[n] * (at_z[n] - static_cast<double>(n) / z));
  }
  return f;
}

// xi_n' = xi_{n-1} - n/z xi_n, as above.
RadialFunctions outgoing_from(Complex order_zero, const std::vector<Complex>& at_z,
                              const std::vector<Complex>& at_reference, Complex z) {
  RadialFunctions f;
  for (std::size_t n = 0; n < at_z.size(); ++n) {
    f.value.push_back(n == 0 ? order_zero : f.value[n - 1] * (at_z[n] / at_reference[n]));
    f.derivative.push_back(f.value[n] * (1.0 / at_z[n] - static_cast<double>(n) / z));
  }
  return f;
}

}  // namespace

RadialFunctions regular_functions(int order, Complex z, Complex reference) {
  const auto at_z = regular_ratios(order, z), at_reference = regular_ratios(order, reference);
  const Complex order_zero =
      std::exp(i * (reference - z)) * scaled_order_zero(z, at_z[0]) / scaled_order_zero(reference, at_reference[0]);
  return regular_from(order_zero, at_z, at_reference, z);
}

// xi_0 = -i exp(iz).
RadialFunctions outgoing_functions(int order, Complex z, Complex reference) {
  return outgoing_from(std::exp(i * (z - reference)), outgoing_ratios(order, z), outgoing_ratios(order, reference), z);
}

RadialFunctions regular_functions(int order, double x) {
  const auto at_x = regular_ratios(order, x);
  const Complex order_zero = std::exp(-i * x) * scaled_order_zero(x, at_x[0]);
  return regular_from(order_zero, at_x, std::vector<Complex>(order + 1, 1.0), x);
}

RadialFunctions outgoing_functions(int order, double x) {
  return outgoing_from(-i * std::exp(i * x), outgoing_ratios(order, x), std::vector<Complex>(order + 1, 1.0), x);
}

}  // namespace dgtd::exact
