#pragma once
// A dielectric cylinder without losses in vacuum under a plane wave across its axis.
#include <complex>
#include <vector>

namespace dgtd::exact {

/// C. F. Bohren, D. R. Huffman, Absorption and Scattering of Light by Small Particles, sec. 8.4, normal incidence:
/// outside the field along the axis (E or H) is sum_n i^n (J_n(k r) + a_n H_n(k r)) exp(i n phi), and a_-n = a_n.
class Cylinder {
 public:
  /// radius m, frequency Hz. magnetic: H is along the axis, else E.
  Cylinder(double radius, double eps_r, double frequency, bool magnetic);
  /// Scattered power of a metre over the incident intensity, m: (4 / k) sum |a_n|^2.
  double scattering_width() const;
  /// -(4 / k) sum Re a_n, the same without losses.
  double extinction_width() const;

 private:
  double wave_number_;                   // rad/m
  std::vector<std::complex<double>> a_;  // n = 0, 1, …
};

}  // namespace dgtd::exact
