#include "support/exact_cylinder.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::exact {
namespace {

using Complex = std::complex<double>;
double bessel(int n, double x) { return std::cyl_bessel_j(double(n), x); }
Complex hankel(int n, double x) { return {std::cyl_bessel_j(double(n), x), std::cyl_neumann(double(n), x)}; }
/// f_n' = f_{n-1} - n f_n / x, f_0' = -f_1.
template <class F>
auto derivative(F f, int n, double x) {
  return n == 0 ? -f(1, x) : f(n - 1, x) - double(n) / x * f(n, x);
}

}  // namespace

// Both fields along the surface are continuous: with q = m (E along the axis) or 1 / m (H),
//   a_n = (q J_n'(m x) J_n(x) - J_n(m x) J_n'(x)) / (J_n(m x) H_n'(x) - q J_n'(m x) H_n(x)).
Cylinder::Cylinder(double radius, double eps_r, double frequency, bool magnetic)
    : wave_number_(2 * pi * frequency / speed_of_light) {
  const double x = wave_number_ * radius, m = std::sqrt(eps_r), q = magnetic ? 1 / m : m;
  const int orders = static_cast<int>(x + 4 * std::cbrt(x) + 8);
  for (int n = 0; n <= orders; ++n) {
    const double inside = bessel(n, m * x), slope = q * derivative(bessel, n, m * x);
    a_.push_back((slope * bessel(n, x) - inside * derivative(bessel, n, x)) /
                 (inside * derivative(hankel, n, x) - slope * hankel(n, x)));
  }
}

double Cylinder::scattering_width() const {
  double sum = 0;
  for (std::size_t n = 0; n < a_.size(); ++n) sum += (n == 0 ? 1 : 2) * std::norm(a_[n]);
  return 4 / wave_number_ * sum;
}

double Cylinder::extinction_width() const {
  double sum = 0;
  for (std::size_t n = 0; n < a_.size(); ++n) sum -= (n == 0 ? 1 : 2) * a_[n].real();
  return 4 / wave_number_ * sum;
}

}  // namespace dgtd::exact
