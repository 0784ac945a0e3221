#pragma once
// References for tests of ports of all methods.
#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::physics {

/// Integral of f exp(-i omega t) dt over a run; record: at (n + 1/2) dt.
inline std::complex<double> spectrum(const std::vector<double>& record, double frequency, double dt) {
  std::complex<double> sum = 0;
  for (std::size_t n = 0; n < record.size(); ++n)
    sum += record[n] * dt * std::polar(1.0, -2 * pi * frequency * (double(n) + 0.5) * dt);
  return sum;
}

/// ohm, of a lumped port's circuit.
inline std::complex<double> impedance_of(const physics::Port& port, double frequency) {
  const std::complex<double> s{0, 2 * pi * frequency};
  const double resistance = port.resistance.value_or(port.impedance);
  if (port.circuit == physics::Port::Circuit::series)
    return resistance + s * port.inductance.value_or(0) + (port.capacitance ? 1.0 / (s * *port.capacitance) : 0);
  return 1.0 /
         (1 / resistance + (port.inductance ? 1.0 / (s * *port.inductance) : 0) + s * port.capacitance.value_or(0));
}

}  // namespace dgtd::physics
