#pragma once
// Time-harmonic fields of the exact solutions. The time factor is exp(-i omega t) everywhere in
// tests/support: the real field is Re(E exp(-i omega t)), amplitudes are peak values, and a
// conductor has the relative permittivity eps_r + i sigma / (omega eps0).
#include <Eigen/Core>
#include <complex>

namespace dgtd::exact {

using Complex = std::complex<double>;

struct ComplexField {
  Eigen::Vector3cd electric = Eigen::Vector3cd::Zero();  // V/m
  Eigen::Vector3cd magnetic = Eigen::Vector3cd::Zero();  // A/m
};

}  // namespace dgtd::exact
